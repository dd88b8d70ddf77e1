"""A knowledge base in a few numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from boxsel.logic.axioms import AXIOM_KINDS, Axiom, Conditional, Equivalence, Inclusion
from boxsel.logic.concepts import Concept, Name, conjuncts
from boxsel.logic.kb import KB, Dropped
from boxsel.logic.population import Population
from boxsel.logic.proportions import ONE, ZERO, Count


@dataclass(frozen=True, slots=True)
class Summary:
    """What a knowledge base holds, counted.

    `depth` is how deep existentials are nested; `hierarchy_depth` the number of steps in the
    longest chain of stated inclusions between names. `points` are the conditionals that state
    one number (a count is read as one), `deterministic` those that state 0 or 1. `data` are those
    that it was counted from, if they are kept; it `fits` if every statement is true of them.
    """

    concepts: int
    roles: int
    individuals: int
    statements: int
    kinds: tuple[tuple[str, int], ...]
    size: int
    depth: int
    hierarchy_depth: int
    conditionals: int
    points: int
    deterministic: int
    counts: int
    sources: int
    dropped: tuple[Dropped, ...]
    data: Population | None = None
    fits: bool = False

    @property
    def point_share(self) -> float | None:
        """The share of point conditionals; `None` without conditionals."""
        return self.points / self.conditionals if self.conditionals else None

    @property
    def deterministic_share(self) -> float | None:
        """The share of conditionals that state 0 or 1; `None` without conditionals."""
        return self.deterministic / self.conditionals if self.conditionals else None

    @property
    def ignored_axioms(self) -> int:
        """How many axioms with a logical meaning were left out on reading."""
        return sum(drop.count for drop in self.dropped if drop.logical)

    def rows(self) -> Iterator[tuple[str, str]]:
        """The summary as the rows of a table."""
        yield "concepts", f"{self.concepts:,}"
        yield "roles", f"{self.roles:,}"
        yield "individuals", f"{self.individuals:,}"
        yield "statements", f"{self.statements:,}"
        for kind, count in self.kinds:
            yield f"  {kind}", f"{count:,}"
        yield "size", f"{self.size:,}"
        yield "depth of nesting", f"{self.depth:,}"
        yield "depth of hierarchy", f"{self.hierarchy_depth:,}"
        if self.conditionals:
            yield "point conditionals", _share(self.points, self.conditionals)
            yield "conditionals of 0 or 1", _share(self.deterministic, self.conditionals)
            yield "sample counts", _share(self.counts, self.conditionals)
        yield "statements with a source", f"{self.sources:,}"
        yield "axioms left out on reading", f"{self.ignored_axioms:,}"
        for drop in self.dropped:
            remark = drop.reason if drop.logical else drop.reason or "changes no answer"
            yield f"  {drop.kind}", f"{drop.count:,} ({remark})" if remark else f"{drop.count:,}"
        if self.data is not None:
            changed = "" if self.fits else " (statements have changed since: not used)"
            yield "data", f"{self.data.text}{changed}"

    def to_json(self) -> dict[str, object]:
        """The summary as a JSON object."""
        return {
            "concepts": self.concepts,
            "roles": self.roles,
            "individuals": self.individuals,
            "statements": self.statements,
            "kinds": dict(self.kinds),
            "size": self.size,
            "depth": self.depth,
            "hierarchy_depth": self.hierarchy_depth,
            "conditionals": self.conditionals,
            "points": self.points,
            "point_share": self.point_share,
            "deterministic": self.deterministic,
            "deterministic_share": self.deterministic_share,
            "counts": self.counts,
            "sources": self.sources,
            "ignored_axioms": self.ignored_axioms,
            "dropped": [asdict(drop) for drop in self.dropped],
            "data": self.data and {**self.data.sizes, "fits": self.fits},
        }


def summarize(kb: KB) -> Summary:
    """Count what a knowledge base holds, in one pass.

    Examples:
        >>> from boxsel.logic.axioms import conditional
        >>> from boxsel.logic.concepts import names
        >>> A, B, C = names("A B C")
        >>> summary = summarize(KB.of(A <= B, B <= C, conditional(A, given=C, between=(0.2, 0.3))))
        >>> summary.concepts, summary.hierarchy_depth, summary.point_share
        (3, 2, 0.0)
    """
    kinds: Counter[type[Axiom]] = Counter()
    told: dict[str, list[str]] = {}
    size = depth = points = deterministic = counts = sources = 0
    for statement in kb.statements:
        axiom = statement.axiom
        kinds[type(axiom)] += 1
        size += axiom.size
        depth = max(depth, axiom.depth)
        sources += bool(statement.note.source)
        if isinstance(axiom, Conditional):
            counts += isinstance(axiom.proportion, Count)
            bounds = axiom.bounds
            points += bounds.is_point
            deterministic += bounds.is_point and bounds.lower in (ZERO, ONE)
        else:
            for below, above in told_subsumptions(axiom):
                told.setdefault(below, []).append(above)
    return Summary(
        concepts=len(kb.signature.concepts),
        roles=len(kb.signature.roles),
        individuals=len(kb.signature.individuals),
        statements=len(kb),
        kinds=tuple((kind.kind, kinds[kind]) for kind in AXIOM_KINDS if kinds[kind]),
        size=size,
        depth=depth,
        hierarchy_depth=longest_chain(told),
        conditionals=kinds[Conditional],
        points=points,
        deterministic=deterministic,
        counts=counts,
        sources=sources,
        dropped=kb.dropped,
        data=kb.data,
        fits=kb.witness is not None,
    )


def told_subsumptions(axiom: Axiom) -> Iterator[tuple[str, str]]:
    """The inclusions between names that an axiom states, as pairs of IRIs: the lower one first.

    `A SubClassOf B and r some C` states A ⊑ B. Of an equivalence, one name stands for all:
    the others lie below and above it.

    Examples:
        >>> A, B = Name("A"), Name("B")
        >>> list(told_subsumptions(A.equivalent_to(B)))
        [('urn:boxsel:A', 'urn:boxsel:B'), ('urn:boxsel:B', 'urn:boxsel:A')]
    """
    if isinstance(axiom, Inclusion):
        if isinstance(axiom.left, Name):
            yield from ((axiom.left.iri, upper) for upper in _names_in(axiom.right))
    elif isinstance(axiom, Equivalence):
        same = [member.iri for member in axiom.members if isinstance(member, Name)]
        if same:
            uppers = (upper for member in axiom.members for upper in _names_in(member))
            yield from ((same[0], upper) for upper in uppers if upper != same[0])
            yield from ((lower, same[0]) for lower in same[1:])


def longest_chain(above: Mapping[str, Sequence[str]]) -> int:
    """The number of steps in the longest upward chain of a graph; a cycle counts as one node.

    Kosaraju's algorithm: whatever was left last on the way up is below everything else that is not
    looked at yet, and what leads to it then is on a cycle with it.

    Examples:
        >>> longest_chain({"a": ["b"], "b": ["c"], "c": ["b", "d"]})
        2
    """
    below: dict[str, list[str]] = {}
    for low, highs in above.items():
        for high in highs:
            below.setdefault(high, []).append(low)
    left = [*_left(above, above, set())]
    seen: set[str] = set()
    depths: dict[str, int] = {}
    for start in reversed(left):
        cycle = [*_left([start], below, seen)]
        lower = (low for member in cycle for low in below.get(member, ()))
        depth = max((depths[low] + 1 for low in lower if low in depths), default=0)
        depths.update(dict.fromkeys(cycle, depth))
    return max(depths.values(), default=0)


def _left(
    starts: Iterable[str], links: Mapping[str, Sequence[str]], seen: set[str]
) -> Iterator[str]:
    """The nodes that links lead to from some, in the order in which a search leaves them."""
    for start in starts:
        path = [] if start in seen else [(start, iter(links.get(start, ())))]
        seen.add(start)
        while path:
            node, rest = path[-1]
            following = next((other for other in rest if other not in seen), None)
            if following is None:
                path.pop()
                yield node
            else:
                seen.add(following)
                path.append((following, iter(links.get(following, ()))))


def _names_in(concept: Concept) -> Iterator[str]:
    return (part.iri for part in conjuncts(concept) if isinstance(part, Name))


def _share(part: int, whole: int) -> str:
    return f"{part:,} of {whole:,} ({part / whole:.1%})"

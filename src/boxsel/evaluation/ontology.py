"""A counted ontology: concepts, roles and a root, and how many entities belong to what."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from boxsel.evaluation.conditionals import Conditionals, Ints, Truths
from boxsel.logic.axioms import Conditional
from boxsel.logic.concepts import TOP, Concept, Name, Role
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Count, Interval
from boxsel.logic.statements import Query
from boxsel.models.numbering import Numbering

_ARRAYS: Final = ("pairs", "triples", "reached", "linked")


@dataclass(frozen=True, eq=False)
class Ontology:
    """N concepts, a root that all of them may be asked of, R roles, and what was counted.

    - `pairs[A, B]` = |A ⊓ B|, and |A| on the diagonal: [N + 1, N + 1], with the root last;
    - `triples[A1, A2, B]` = |A1 ⊓ A2 ⊓ B| over the K `conjoined` concepts: [K, K, K];
    - `reached[r, A]` = |∃r.A|: [R, N];
    - `linked[r, A, B]` = |∃r.A ⊓ B|: [R, N, N + 1], with the root last.

    `root` is the name of a concept, or none for ⊤. `origin` says in words what was counted.
    """

    name: str
    concepts: tuple[str, ...]
    root: str | None
    roles: tuple[str, ...]
    conjoined: tuple[int, ...]
    pairs: Ints
    triples: Ints
    reached: Ints
    linked: Ints
    origin: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        size, chosen, links = len(self.concepts), len(self.conjoined), len(self.roles)
        assert self.pairs.shape == (size + 1, size + 1)
        assert self.triples.shape == (chosen,) * 3
        assert self.reached.shape == (links, size)
        assert self.linked.shape == (links, size, size + 1)
        assert self.pairs[-1, -1] > 0, "the root is empty"

    @property
    def size(self) -> int:
        """How many concepts there are besides the root."""
        return len(self.concepts)

    @property
    def root_row(self) -> int:
        """The row of the root: 0 if it is ⊤."""
        return 0 if self.root is None else self.size + 1

    @cached_property
    def numbering(self) -> Numbering:
        """The rows of names and roles."""
        named = self.concepts if self.root is None else (*self.concepts, self.root)
        return Numbering(tuple(map(Name, named)), tuple(map(Role, self.roles)))

    def listed(self) -> Conditionals:
        """The paper's enumeration: ordered pairs of different concepts, and no filter.

        What is said about the root is not in it.
        """
        different = ~np.eye(self.size, dtype=bool)
        return Conditionals.joined([*self._of_names(_different(len(self.conjoined)), different)])

    def about_root(self) -> Conditionals:
        """What is said about the root: `(A | root)`, `(∃r.A | root)`, and what belongs to it.

        Of ⊤ it is not said that everything belongs to it.
        """
        every, root = np.arange(self.size), np.full(self.size, self.size)
        sizes = np.diagonal(self.pairs)
        parts = [self._as_rows(_names(root, every, self.pairs, sizes))]
        if self.root is not None:
            parts.append(self._as_rows(_names(every, root, self.pairs, sizes)))
        for role in range(len(self.roles)):
            parts.append(self._as_rows(self._links(role, every, root)))
            if self.root is not None:
                parts.append(self._as_rows(self._given_links(role, every, root)))
        return Conditionals.joined(parts)

    def conditionals(self) -> Conditionals:
        """All that can be said: unordered conjunctions, `A = B` beside roles, and the root.

        Undefined conditionals are not in it.
        """
        different = _different(len(self.conjoined))
        ordered = np.triu(np.ones(different.shape[:2], bool))[:, :, None]
        links = np.ones((self.size, self.size), bool)
        every = [*self._of_names(different & ordered, links), self.about_root()]
        joined = Conditionals.joined(every)
        return joined.take(joined.defined)

    def _of_names(self, triples: Truths, links: Truths) -> Iterator[Conditionals]:
        """`(B | A)` of different names, `(B | A1 ⊓ A2)` of some, and links between some."""
        body, head = np.nonzero(~np.eye(self.size, dtype=bool))
        yield _names(body, head, self.pairs, np.diagonal(self.pairs))
        yield self._conjunctions(*np.nonzero(triples))
        one, other = np.nonzero(links)
        for role in range(len(self.roles)):
            yield self._given_links(role, one, other)
            yield self._links(role, one, other)

    def _conjunctions(self, first: Ints, second: Ints, head: Ints) -> Conditionals:
        places = np.array(self.conjoined, np.int64)
        return Conditionals.of(
            2,
            body=places[first] + 1,
            second=places[second] + 1,
            head=places[head] + 1,
            count=self.triples[first, second, head],
            total=self.pairs[places[first], places[second]],
        )

    def _given_links(self, role: int, filler: Ints, head: Ints) -> Conditionals:
        """`(B | ∃r.A)`."""
        return Conditionals.of(
            3,
            body=filler + 1,
            body_role=np.full(len(filler), role + 1),
            head=head + 1,
            count=self.linked[role, filler, head],
            total=self.reached[role, filler],
        )

    def _links(self, role: int, filler: Ints, body: Ints) -> Conditionals:
        """`(∃r.A | B)`."""
        return Conditionals.of(
            4,
            body=body + 1,
            head=filler + 1,
            head_role=np.full(len(filler), role + 1),
            count=self.linked[role, filler, body],
            total=np.diagonal(self.pairs)[body],
        )

    def _as_rows(self, given: Conditionals) -> Conditionals:
        """With the row of the root in the place of the one after the last concept."""
        names = np.where(given.names == self.size + 1, self.root_row, given.names)
        return Conditionals(names, given.roles, given.count, given.total, given.shape)

    def kb(self, known: Conditionals, rounded: bool = False) -> KB:
        """Conditionals as a knowledge base; what is undefined is left out.

        They are counts, or what is published of them: whole per cents, half a point off at most.
        """
        said = known.take(known.defined).unique()
        stated: Iterator[Count | Interval]
        if rounded:
            ends = zip(*(bounds.tolist() for bounds in said.rounded()), strict=True)
            stated = (Interval(Fraction(low, 200), Fraction(high, 200)) for low, high in ends)
        else:
            stated = map(Count, said.count.tolist(), said.total.tolist())
        return KB.of(*map(Conditional, *self._sides(said), stated))

    def queries(self, asked: Conditionals) -> tuple[Query, ...]:
        """Conditionals as queries."""
        return tuple(map(Query, *self._sides(asked)))

    def _sides(self, given: Conditionals) -> tuple[list[Concept], list[Concept]]:
        numbering = self.numbering

        def basic(name: int, role: int) -> Concept:
            concept = numbering.names[name - 1] if name else TOP
            return numbering.roles[role - 1].some(concept) if role else concept

        known: dict[tuple[int, int], Concept] = {}
        heads: list[Concept] = []
        bodies: list[Concept] = []
        for names, roles in zip(given.names.tolist(), given.roles.tolist(), strict=True):
            first, second, head = (
                known.setdefault(slot, basic(*slot)) for slot in zip(names, roles, strict=True)
            )
            heads.append(head)
            bodies.append(first & second if names[1] else first)
        return heads, bodies

    def digest(self) -> str:
        """A hash of everything that was counted: equal for equal ontologies, on any machine."""
        digest = hashlib.sha256(json.dumps(self._words(), sort_keys=True).encode())
        for key in _ARRAYS:
            array = np.ascontiguousarray(getattr(self, key), dtype="<i8")
            digest.update(repr(array.shape).encode())
            digest.update(array.tobytes())
        return digest.hexdigest()

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The ontology as arrays by name, for a file."""
        words = {**self._words(), "origin": self.origin, "labels": dict(self.labels)}
        return {
            "words": np.array(json.dumps(words)),
            **{key: getattr(self, key) for key in _ARRAYS},
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """An ontology from what `arrays` gave."""
        words = json.loads(str(arrays["words"]))
        for key in ("concepts", "roles", "conjoined"):
            words[key] = tuple(words[key])
        words |= {key: arrays[key].astype(np.int64) for key in _ARRAYS}
        return cls(**words)

    def _words(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "concepts": list(self.concepts),
            "root": self.root,
            "roles": list(self.roles),
            "conjoined": list(self.conjoined),
        }


def _names(body: Ints, head: Ints, pairs: Ints, sizes: Ints) -> Conditionals:
    """`(B | A)`."""
    return Conditionals.of(
        1, body=body + 1, head=head + 1, count=pairs[body, head], total=sizes[body]
    )


def _different(size: int) -> Truths:
    """Of three places, whether they are all different."""
    one, two, three = np.indices((size, size, size), sparse=True)
    different: Truths = (one != two) & (one != three) & (two != three)
    return different

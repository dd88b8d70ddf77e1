"""One name is one kind of thing: what is done about OWL names that are several.

OWL lets one IRI be a class, a role and an individual at once ("punning"). SEL does not, so
the kind that the statements use most is kept, and statements that use another are left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from boxsel.formats.owl.axioms import Loss
from boxsel.formats.owl.writing import AXIOM_TAGS
from boxsel.logic.concepts import Entity, Individual, Name, Role
from boxsel.logic.statements import Statement
from boxsel.wording import with_article

_RANK: tuple[type[Entity], ...] = (Name, Role, Individual)


def resolve_punning(
    statements: Iterable[Statement], declared: Iterable[Entity]
) -> tuple[list[Statement], frozenset[Entity], list[Loss]]:
    """The statements and declarations in which every name is one kind of thing."""
    statements, declared = list(statements), frozenset(declared)
    # An entity's kind is part of its identity here: only names with two kinds need a count.
    used: Counter[Entity] = Counter()
    for statement in statements:
        used.update(statement.axiom.entities())
    kinds: dict[str, list[Entity]] = {}
    for entity in {*used, *declared}:
        kinds.setdefault(entity.iri, []).append(entity)
    losers = {
        entity: winner
        for several in kinds.values()
        if len(several) > 1
        for winner in (min(several, key=lambda one: (-used[one], _RANK.index(type(one)))),)
        for entity in several
        if entity is not winner
    }
    if not losers:
        return statements, declared, []
    kept: list[Statement] = []
    losses: list[Loss] = []
    for statement in statements:
        loser = next((one for one in statement.axiom.entities() if one in losers), None)
        if loser is None:
            kept.append(statement)
        else:
            kind, other = (with_article(one.kind) for one in (loser, losers[loser]))
            reason = f"names {kind} that is also {other}: one name is one kind of thing"
            losses.append(Loss(AXIOM_TAGS[type(statement.axiom)], reason))
    return kept, frozenset(entity for entity in declared if entity not in losers), losses

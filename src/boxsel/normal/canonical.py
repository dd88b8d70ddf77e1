"""The canonical model: whether an element must be an instance of a concept, however complex.

An element of the canonical model is an instance of a concept of EL if and only if every
element that a context stands for is one, in every model.
"""

from __future__ import annotations

from collections import defaultdict

from boxsel.errors import InvalidStatementError
from boxsel.logic.concepts import And, Concept, Exists
from boxsel.normal.completion import Completion
from boxsel.normal.definitions import subconcepts
from boxsel.normal.rules import Rules


def holds(concept: Concept, context: int, completion: Completion, rules: Rules) -> bool:
    """Whether a context that can exist is an instance of a concept without ⊥."""
    members, parts = completion.members, list(subconcepts(concept))
    # Two passes instead of recursion: outermost first, where each part matters; innermost
    # first, where it is true.
    matters: dict[Concept, set[int]] = defaultdict(set, {concept: {context}})
    for part in parts:
        if isinstance(part, And):
            for operand in part.operands:
                matters[operand] |= matters[part]
        elif isinstance(part, Exists):
            for source in matters[part]:
                matters[part.filler].update(_targets(part, source, completion, rules))
    true: dict[Concept, set[int]] = {}
    for part in reversed(parts):
        if isinstance(part, And):
            true[part] = set.intersection(*(true[operand] for operand in part.operands))
        elif isinstance(part, Exists):
            inside = true[part.filler]
            true[part] = {
                source
                for source in matters[part]
                if not inside.isdisjoint(_targets(part, source, completion, rules))
            }
        else:
            number = _number(part, rules)
            true[part] = {one for one in matters[part] if number in members[one]}
    return context in true[concept]


def _targets(concept: Exists, source: int, completion: Completion, rules: Rules) -> list[int]:
    return [
        target
        for role, target in completion.links[source]
        if concept.role in rules.roles.above(role)
    ]


def _number(concept: Concept, rules: Rules) -> int:
    try:
        return rules.ids[concept]
    except KeyError:
        raise InvalidStatementError(f"the knowledge base has no concept {concept}") from None

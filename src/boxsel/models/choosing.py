"""Which representation suits a knowledge base: boxes or populations, told by its shape.

Neither is better everywhere. In a cell of a population an inclusion or a definition leaves a
membership hardly more than 0 and 1, so hierarchies with few proportions are for boxes. A box is
convex, so that two of them cannot fill a third, nor overlap as counted groups do: what was counted
is for populations. The measurements behind the numbers here are on the page about models.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from boxsel.logic.axioms import Equivalence, Inclusion, RoleAssertion
from boxsel.logic.kb import KB
from boxsel.models.representations.boxes import Boxes
from boxsel.models.representations.populations import Populations
from boxsel.models.settings import Settings
from boxsel.wording import several

AUTO: Final = "auto"
"""The name that leaves the choice to the knowledge base."""

PER_INCLUSION: Final = 8
"""So many proportions for each inclusion are few inclusions."""

MOST_ROWS: Final = 20_000
"""A population has a row for every name, alone and with every role: more are not for it."""

ONLY_BOXES: Final = ("roles", "batch", "side", "margin", "regularisers", "weighting")
"""Settings that populations have not."""

EACH_ITS_OWN: Final = ("dim", "epochs", "rate")
"""Settings that mean something else for each representation: whoever sets them means boxes."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A representation by its name, and why it was chosen."""

    name: str
    why: str


def choose_representation(kb: KB) -> Choice:
    """The representation that suits the shape of a knowledge base.

    Populations, if most proportions are points and inclusions are few beside them; boxes else.

    Examples:
        >>> from boxsel import examples
        >>> choose_representation(examples.load("berkeley"))
        Choice(name='populations', why='8 of 8 proportions are points, and there is no inclusion')
        >>> choose_representation(examples.load("applicant")).why
        '2 inclusions are many beside 2 proportions'
    """
    conditionals = tuple(kb.conditionals)
    links = sum(1 for _ in kb.axioms_of(RoleAssertion))
    inclusions = sum(isinstance(axiom, Inclusion | Equivalence) for axiom in kb.axioms)
    intervals = sum(not one.bounds.is_point for one in conditionals)
    proportions = several(len(conditionals), "proportion")
    rows = len(kb.signature.concepts) * (1 + len(kb.signature.roles))
    for against, why in (
        (not conditionals, "there are no proportions"),
        (links, f"{several(links, 'role assertion')} would be ignored by populations"),
        (2 * intervals > len(conditionals), f"{intervals:,} of {proportions} are intervals"),
        (
            inclusions * PER_INCLUSION > len(conditionals),
            f"{several(inclusions, 'inclusion')} are many beside {proportions}",
        ),
        (rows > MOST_ROWS, f"populations would have {rows:,} rows"),
    ):
        if against:
            return Choice(Boxes.kind, why)
    few = f"only {several(inclusions, 'inclusion')}" if inclusions else "no inclusion"
    points = len(conditionals) - intervals
    be = "is" if inclusions <= 1 else "are"
    return Choice(Populations.kind, f"{points:,} of {proportions} are points, and there {be} {few}")


def settings_for(kb: KB, given: Mapping[str, Any]) -> tuple[Settings, Choice | None]:
    """Settings from those that were given by name; and the choice, if it was left open.

    It is open if no representation is given, nor a setting that only boxes have or that means
    something else for each; or if that is asked for, by the name `auto`.

    Raises:
        BoxselError: A setting is wrong.

    Examples:
        >>> from boxsel import examples
        >>> settings, choice = settings_for(examples.load("berkeley"), {"members": 4})
        >>> settings.representation, settings.roles
        ('populations', 'memberships')
        >>> settings_for(examples.load("berkeley"), {"dim": 2})[1] is None
        True
    """
    settings = stated_settings(given)
    asked = given.get("representation")
    if asked not in (None, AUTO):
        return settings, None
    only = [name for name in ONLY_BOXES if name in given]
    if not settings.chosen_preset().universe:
        only.append("preset")
    if asked is None and (only or any(name in given for name in EACH_ITS_OWN)):
        return settings, None
    if only:
        return settings, Choice(
            Boxes.kind, f"only boxes have the {' and '.join(only)} that was set"
        )
    choice = choose_representation(kb)
    return Settings.from_json({**given, "representation": choice.name}), choice


def stated_settings(given: Mapping[str, Any]) -> Settings:
    """Settings from those that were given by name, before a knowledge base is known.

    Raises:
        BoxselError: A setting is wrong.
    """
    return Settings.from_json(
        {name: value for name, value in given.items() if (name, value) != ("representation", AUTO)}
    )

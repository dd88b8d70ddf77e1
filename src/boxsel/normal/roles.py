"""The hierarchy of roles."""

from __future__ import annotations

from collections import defaultdict

from boxsel.logic.concepts import Role


class RoleHierarchy:
    """What `r ⊑ s` says of roles; roles may include each other in a circle."""

    def __init__(self) -> None:
        self._told: dict[Role, list[Role]] = defaultdict(list)
        self._above: dict[Role, frozenset[Role]] = {}

    def include(self, sub: Role, sup: Role) -> None:
        """Add an inclusion; before the first question."""
        self._told[sub].append(sup)

    def above(self, role: Role) -> frozenset[Role]:
        """The role and every role that includes it."""
        known = self._above.get(role)
        if known is None:
            known = self._above[role] = self._climb(role)
        return known

    def _climb(self, role: Role) -> frozenset[Role]:
        found, stack = {role}, [role]
        while stack:
            for sup in self._told.get(stack.pop(), ()):
                if sup not in found:
                    found.add(sup)
                    stack.append(sup)
        return frozenset(found)

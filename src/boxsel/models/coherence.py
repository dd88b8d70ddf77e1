"""Whether training can succeed: every name must be able to have members.

Contradictory proportions empty a name in ways that no simple rule finds. The exact reasoner does,
in no time for small knowledge bases; others get a little time, and then training starts.
"""

from __future__ import annotations

from typing import Final

from boxsel.models.emptiness import NO_MODEL, NoModelError, contradiction
from boxsel.models.task import Task

SECONDS: Final = 5.0
"""How long training waits for the exact reasoner."""

MANY: Final = 5000
"""Knowledge bases with more statements are not worth the try."""

CHECKED: Final = "checked"


def require_coherent(task: Task) -> str:
    """Refuse a knowledge base in which numbers empty a name; say how far that was checked.

    Raises:
        NoModelError: There is no model, or one of the names to be trained is empty in all.
    """
    if len(task.kb) > MANY:
        return "not checked: the knowledge base is large"
    try:
        from boxsel.exact.reasoner import Reasoner
        from boxsel.machine.budget import Budget, OutOfTimeError
    except ImportError:  # training needs no solver
        return "not checked: the exact reasoner is not installed"
    reasoner = Reasoner(task.kb, budget=Budget(SECONDS))
    try:
        if not reasoner.consistent:
            raise NoModelError(NO_MODEL)
        empty = set(reasoner.empty_names) - task.empty
    except OutOfTimeError:
        return f"not checked to the end: that takes more than {SECONDS:.0f} s"
    if empty:
        raise contradiction(task.kb, empty)
    return CHECKED

"""Help: what can be stated and asked, the keys, and the words, on one page without the internet."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Final

from nicegui import ui

from boxsel._version import __version__
from boxsel.serve.page.controls import dialog, quiet
from boxsel.serve.page.markup import MEANINGS
from boxsel.serve.page.words import capitalised

Rows = tuple[tuple[str, str], ...]

STATEMENTS: Final[Rows] = (
    ("(Admitted | DeptA)[0.8]", "80 % of department A were admitted"),
    ("(DeptA | Applicant)[20%, 25%]", "between 20 % and 25 % of the applicants applied to A"),
    ("(Relapse | Treated)[7 of 12]", "of a sample of 12 treated people, 7 relapsed"),
    ("DeptA SubClassOf Applicant", "everybody in A applied"),
    ("DisjointClasses: DeptA, DeptB", "nobody is in both"),
    ("Mother EquivalentTo Woman and hasChild some Person", "two descriptions of one group"),
    ("Woman(alice)", "a fact about somebody"),
    ("# a remark", "whatever you like; names with spaces stand in 'quotes'"),
)
QUESTIONS: Final[Rows] = (
    ("(Admitted | Applicant)", "what share of the applicants were admitted?"),
    ("(Admitted | DeptA and Woman)", "and of the women in A?"),
    ("(not Admitted | Applicant)", "what share was refused?"),
    ("(DeptA or DeptB | Woman)", "who belongs to at least one of the two?"),
    ("(at least 2 of (DeptA, DeptB, Admitted) | Applicant)", "to two of the three, or all?"),
)
KEYS: Final[Rows] = (
    ("Enter", "asks the question; in a list of names, takes the chosen one"),
    ("Tab", "takes the first name that is offered; Escape closes the list"),
    ("Ctrl+Z", "brings back the text before: also after an example, a file or a repair"),
    ("Arrow keys", "move a slider step by step, and walk through menus and tabs"),
)


class HelpView:
    """A dialog with all of it."""

    def __init__(self) -> None:
        with dialog("Help", "help") as self._dialog:
            ui.html(help_html(), sanitize=False).classes("help-text").props(
                'tabindex=0 role=region aria-label="Statements, questions, keys and words"'
            )
            with ui.element("div").classes("dialog-buttons"):
                ui.label(f"boxsel {__version__}").classes("hint grow")
                quiet("Close", self._dialog.close)

    def open(self) -> None:
        """Show it."""
        self._dialog.open()


def help_html() -> str:
    """The text of the help, as HTML."""
    words = ((capitalised(word), said) for word, said in sorted(MEANINGS.items()))
    return (
        _part("What you state", STATEMENTS, code=True)
        + _part("What you ask", QUESTIONS, code=True)
        + _part("Keys", KEYS)
        + _part("Words", words)
    )


def _part(title: str, rows: Iterable[tuple[str, str]], *, code: bool = False) -> str:
    kind = "code" if code else "b"
    listed = "".join(
        f"<dt><{kind}>{escape(said)}</{kind}></dt><dd>{escape(meaning)}</dd>"
        for said, meaning in rows
    )
    return f"<h3>{title}</h3><dl>{listed}</dl>"

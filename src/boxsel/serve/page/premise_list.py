"""Statements as a list of buttons, each of which shows its line in the editor."""

from __future__ import annotations

from collections.abc import Iterable

from nicegui import ui

from boxsel.serve.page.session import Session


def premise_list(session: Session, statements: Iterable[str]) -> None:
    """List statements; those that stand in the text lead there."""
    with ui.element("ul").classes("premises"):
        for statement in statements:
            with ui.element("li"):
                line = session.outline.line(statement)
                if line is None:
                    ui.label(statement).classes("premise")
                    continue
                button = ui.element("button").classes("premise").props('type="button"')
                button.on("click", lambda _, one=statement: session.jump_to(one))
                with button:
                    ui.label(statement).classes("premise-text")
                    ui.label(f"line {line}").classes("premise-line")

"""The buttons of the page: one that stands out in each view, quiet ones, and icons with words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nicegui import ui

Action = Callable[[], Any] | None


def primary(said: str, on_click: Action) -> ui.button:
    """The button for what the view is there for."""
    return ui.button(said, on_click=on_click).props("unelevated no-caps")


def quiet(said: str, on_click: Action = None) -> ui.button:
    """A button for everything else."""
    return ui.button(said, on_click=on_click, color=None).props("flat dense no-caps")


def icon_button(said: str, icon: str, on_click: Action = None, *, named: bool = False) -> ui.button:
    """An icon; its word is for screen readers and tooltips, or `named` where there is room."""
    button = ui.button(on_click=on_click, color=None).props(f'flat no-caps aria-label="{said}"')
    with button.classes("icon-button"):
        ui.icon(icon).props("aria-hidden=true")
        if named:
            ui.label(said).classes("icon-word")
        ui.tooltip(said).classes("icon-tip")
    return button

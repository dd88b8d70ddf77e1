"""Sliders for shares."""

from __future__ import annotations

from collections.abc import Callable

from nicegui import ui


class ShareSlider(ui.element, component="share_slider.js"):
    """One number between 0 and 1, or two that keep their order."""

    def __init__(
        self,
        label: str,
        lower: float,
        upper: float,
        *,
        step: float,
        point: bool,
        on_move: Callable[[float, float], None],
        on_drop: Callable[[], None],
    ) -> None:
        super().__init__()
        self._props["label"] = label
        self._props["lower"], self._props["upper"] = lower, upper
        self._props["step"], self._props["point"] = step, point
        self.on("moved", lambda event: on_move(event.args["lower"], event.args["upper"]))
        self.on("dropped", lambda _: on_drop())

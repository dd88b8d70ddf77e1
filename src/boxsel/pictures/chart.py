"""A chart as a value, before it is drawn; and its drawing made fit for the inside of a page."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape
from typing import Final

from boxsel.pictures.colours import FAINT, FAINTEST, INK, PALE

# What is grey in the drawing follows the page, which may be light or dark.
_THEME: Final = {
    INK: "var(--ink)",
    "#000000": "var(--ink)",
    PALE: "var(--pale)",
    FAINT: "var(--line)",
    FAINTEST: "var(--faint)",
    "#ffffff": "var(--page)",
    "white": "var(--page)",
}
_COLOUR: Final = re.compile(r"(?<=[:\"\s])(#[0-9a-fA-F]{6}|white)(?=[;\"\s])")
_FONT: Final = re.compile(r"'DejaVu Sans'(, '[^']*')*(, sans-serif)?")


@dataclass(frozen=True, slots=True)
class Point:
    """A place in a panel, and how far `y` may be off."""

    x: float
    y: float
    deviation: float = 0.0


@dataclass(frozen=True, slots=True)
class Series:
    """Points that belong together: one line.

    Series with the same label look the same everywhere in a chart. `hollow` points have no line.
    Like `quiet` series they are grey: they are there to compare with.
    """

    label: str
    points: tuple[Point, ...]
    dashed: bool = False
    hollow: bool = False
    quiet: bool = False


@dataclass(frozen=True, slots=True)
class Reference:
    """A faint line from one point to another that helps to read the others."""

    label: str
    start: tuple[float, float]
    end: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Panel:
    """One frame of a chart. `ticks` are the places on the x axis that have a name."""

    title: str
    x: str
    y: str
    series: tuple[Series, ...]
    ticks: tuple[tuple[float, str], ...] = ()
    references: tuple[Reference, ...] = ()
    logarithmic: bool = False
    unit: bool = False
    """Whether the x axis is from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Chart:
    """Panels beside each other, with one legend; `caption` says what is seen and how to read it.

    `dashes` are what lines that are `dashed` stand for.
    """

    key: str
    title: str
    caption: str
    panels: tuple[Panel, ...]
    shared: bool = True
    """Whether all panels have the same y axis."""
    dashes: str = ""

    def __post_init__(self) -> None:
        assert self.panels, self.key

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of all series, in the order of their first use."""
        return tuple(dict.fromkeys(series.label for series in self.series))

    @property
    def series(self) -> tuple[Series, ...]:
        """The series of all panels."""
        return tuple(series for panel in self.panels for series in panel.series)


def inline_svg(svg: str, key: str, title: str) -> str:
    """An SVG file as an element of a page: its own names, the page's colours, no addresses.

    It has a title for those who do not see it.
    """
    element = svg[svg.index("<svg") :]
    element = re.sub(r"<metadata>.*?</metadata>", "", element, flags=re.DOTALL)
    element = re.sub(r'\s*xmlns(:\w+)?="[^"]*"', "", element)
    element = element.replace("xlink:href", "href")
    element = re.sub(r'\bid="([^"]*)"', rf'id="{key}-\1"', element)
    element = re.sub(r'href="#([^"]*)"', rf'href="#{key}-\1"', element)
    element = re.sub(r"url\(#([^)]*)\)", rf"url(#{key}-\1)", element)
    element = _COLOUR.sub(lambda found: _THEME.get(found[1].lower(), found[1]), element)
    element = _FONT.sub("var(--sans)", element)
    opening, rest = element.split(">", 1)
    opening = re.sub(r'\s(width|height)="[^"]*"', "", opening)
    return f'{opening} role="img" aria-label="{escape(title)}">{rest}'.strip()

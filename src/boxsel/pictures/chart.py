"""A chart as a value, before it is drawn."""

from __future__ import annotations

from dataclasses import dataclass


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
        return tuple(dict.fromkeys(one.label for one in self.series))

    @property
    def series(self) -> tuple[Series, ...]:
        """The series of all panels."""
        return tuple(one for panel in self.panels for one in panel.series)

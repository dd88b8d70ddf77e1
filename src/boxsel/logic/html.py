"""How values of the logic show themselves in notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any


def code(text: str) -> str:
    """A piece of SEL text as HTML."""
    return f"<code>{escape(text)}</code>"


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A plain HTML table; every cell is escaped."""
    head = "".join(f"<th style='text-align:left'>{escape(cell)}</th>" for cell in header)
    body = "".join(
        "<tr>"
        + "".join(f"<td style='text-align:left'>{escape(str(cell))}</td>" for cell in row)
        + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


class Told:
    r"""A result that has a text for people: notebooks show that, its first line in bold.

    Examples:
        >>> class Verdict(Told):
        ...     text = "A < B\n  by 0.2\n"
        >>> Verdict()._repr_html_()
        '<strong>A &lt; B</strong><pre>  by 0.2</pre>'
    """

    text: Any

    def _repr_html_(self) -> str:
        first, _, rest = str(self.text).rstrip("\n").partition("\n")
        return f"<strong>{escape(first)}</strong>" + (f"<pre>{escape(rest)}</pre>" if rest else "")

"""How values of the logic show themselves in notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape


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
    r"""A result that is told to people in lines: notebooks show the first one in bold.

    Examples:
        >>> class Verdict(Told):
        ...     def _lines(self):
        ...         return ["A < B", "  by 0.2"]
        >>> Verdict().text, Verdict()._repr_html_()
        ('A < B\n  by 0.2\n', '<strong>A &lt; B</strong><pre>  by 0.2</pre>')
    """

    def _lines(self) -> Iterable[str]:
        raise NotImplementedError

    @property
    def text(self) -> str:
        """It for people."""
        return "".join(f"{line}\n" for line in self._lines())

    def _repr_html_(self) -> str:
        first, _, rest = self.text.rstrip("\n").partition("\n")
        return f"<strong>{escape(first)}</strong>" + (f"<pre>{escape(rest)}</pre>" if rest else "")

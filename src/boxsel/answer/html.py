"""How answers show themselves in notebooks."""

from __future__ import annotations

from html import escape

from boxsel.answer.answer import Answer
from boxsel.answer.picture import picture


def answer_html(answer: Answer) -> str:
    """A picture, and what the answer says."""
    first, *others = answer.lines
    said = escape("\n".join(others))
    return (
        f'<div style="max-width: 44em"><b>{escape(first)}</b>{picture(answer)}'
        f'<pre style="white-space: pre-wrap">{said}</pre></div>'
    )

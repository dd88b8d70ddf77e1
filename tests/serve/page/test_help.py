"""The help says nothing that the page would not take."""

from __future__ import annotations

from boxsel import parse
from boxsel.serve.page.help_view import QUESTIONS, STATEMENTS, help_html
from boxsel.serve.page.markup import MEANINGS


def test_what_is_said_to_be_stated_and_asked_can_be() -> None:
    kb = parse("\n".join(statement for statement, _ in STATEMENTS))
    assert len(kb.statements) == len(STATEMENTS) - 1  # the last is a remark
    for query, _ in QUESTIONS:
        kb.query(query)


def test_every_word_is_explained() -> None:
    assert all(meaning in help_html() for meaning in MEANINGS.values())

"""Small words that messages share."""

from __future__ import annotations


def with_article(noun: str) -> str:
    """A noun with its indefinite article.

    Examples:
        >>> with_article("individual"), with_article("role")
        ('an individual', 'a role')
    """
    return f"an {noun}" if noun[0].lower() in "aeiou" else f"a {noun}"

"""What the server logs: never what a terminal would obey, and never a token.

Whatever stands in an address can get into a log, and any site can make a browser ask for one.
"""

from __future__ import annotations

import logging
import re
from typing import Final

NAMES: Final = ("boxsel.serve", "nicegui", "uvicorn", "uvicorn.error", "uvicorn.access", "asyncio")

_TOKEN: Final = re.compile(r"(?i)(\btoken=)[^&\s'\"]+")


def plain(text: str) -> str:
    r"""A text whose characters all can be seen, and whose tokens cannot.

    Examples:
        >>> plain("/\x1b]0;evil\x07?token=secret&x=1 not found")
        '/\\x1b]0;evil\\x07?token=…&x=1 not found'
    """
    shown = "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)
    return _TOKEN.sub(r"\1…", shown)


class Plain(logging.Filter):
    """Lets records be such texts."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Change a record; all of them pass."""
        record.msg, record.args = plain(record.getMessage()), ()
        if record.exc_info and not record.exc_text:
            told = logging.Formatter().formatException(record.exc_info)
            record.exc_text = "\n".join(map(plain, told.splitlines()))
        return True


def install() -> None:
    """Let all that is logged in this process be plain."""
    for name in NAMES:
        logger = logging.getLogger(name)
        if not any(isinstance(one, Plain) for one in logger.filters):
            logger.addFilter(Plain())

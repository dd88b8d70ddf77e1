"""JSON Schemas (draft 2020-12): of the JSON form of a knowledge base, and of what commands print.

`kb` and `model` are file formats; the others are named for the command whose `--json` output they
describe.
"""

from __future__ import annotations

import json
from importlib.resources import files

from boxsel.wording import expect_known

_SUFFIX = ".schema.json"


def names() -> tuple[str, ...]:
    """The names of all schemas.

    Examples:
        >>> "kb" in names()
        True
    """
    found = (entry.name for entry in files(__name__).iterdir())
    return tuple(sorted(name.removesuffix(_SUFFIX) for name in found if name.endswith(_SUFFIX)))


def schema(name: str) -> dict[str, object]:
    """The schema of this name.

    Examples:
        >>> schema("kb")["title"]
        'A knowledge base of Statistical EL'
    """
    expect_known("schema", name, names())
    loaded: dict[str, object] = json.loads(
        files(__name__).joinpath(name + _SUFFIX).read_text("utf-8")
    )
    return loaded

"""The state of the workbench as a link: what is in it can be sent to somebody, or kept.

It stands after the `#` of an address, which browsers do not send to servers.
"""

from __future__ import annotations

import base64
import json
import zlib
from typing import Final

from boxsel.errors import BoxselError
from boxsel.serve.page.state import State

MARK: Final = "s="
LONGEST: Final = 60_000
"""The longest link, in characters: longer ones get lost in mails, chats and some browsers."""
LARGEST: Final = 1_000_000
"""The largest state in bytes: a small link can unpack to any size."""


def fragment(state: State) -> str:
    """What stands after the `#` of a link to a state.

    Raises:
        BoxselError: The state is too large for a link.

    Examples:
        >>> restored(fragment(State(text="A SubClassOf B"))).text
        'A SubClassOf B'
    """
    too_large = BoxselError("this is too large for a link: save it to a file instead")
    text = json.dumps(state.to_json(), separators=(",", ":"), ensure_ascii=False)
    spelt = text.encode("utf-8", "surrogatepass")
    if len(spelt) > LARGEST:
        raise too_large
    link = MARK + base64.urlsafe_b64encode(zlib.compress(spelt)).decode().rstrip("=")
    if len(link) > LONGEST:
        raise too_large
    return link


def restored(link: str) -> State:
    """The state of a link, given what stands after its `#`.

    Raises:
        BoxselError: It is not the link of a state.
    """
    damaged = BoxselError("this link is damaged: it was cut off, perhaps, when it was copied")
    link = link.removeprefix("#")
    if not link.startswith(MARK) or len(link) > LONGEST:
        raise damaged
    code = link.removeprefix(MARK)
    try:
        packed = base64.b64decode(code + "=" * (-len(code) % 4), altchars=b"-_", validate=True)
        unpacking = zlib.decompressobj()
        spelt = unpacking.decompress(packed, LARGEST)
        if not unpacking.eof:
            raise damaged
        return State.from_json(json.loads(spelt.decode("utf-8", "surrogatepass")))
    except (ValueError, TypeError, zlib.error, RecursionError):
        raise damaged from None

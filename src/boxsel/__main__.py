"""`python -m boxsel` is `boxsel`: the command line, of which little is loaded at first."""

from __future__ import annotations

import sys
from typing import NoReturn


def main() -> NoReturn:
    """Run the command line; who stops it while it is still being loaded is told so."""
    try:
        from boxsel.cli.app import main as run
    except KeyboardInterrupt:
        sys.stderr.write("error: interrupted; nothing was written\n")
        sys.exit(130)
    run()


if __name__ == "__main__":
    main()

"""A reasoner for Statistical EL: proportions over hierarchies.

The public names stand in `__init__.pyi`; those that are needed less often are in `boxsel.logic`,
`boxsel.results`, `boxsel.build`, `boxsel.models`, `boxsel.reversals` and `boxsel.evaluation`.

Examples:
    >>> import boxsel
    >>> kb = boxsel.parse("(Admitted | DeptA)[0.8]")
    >>> kb
    <KB: 1 conditional>
"""

from __future__ import annotations

from boxsel.machine.public import attach

_OLDER = {f"build_{kind}": f"boxsel.build.{kind}" for kind in ("graph", "table", "rules", "hpo")}
_OLDER |= {name: f"boxsel.syntax.parser.{name}" for name in ("parse_concept", "parse_query")}
_ROOMS = [f"boxsel.{room}" for room in ("logic", "results", "models", "reversals", "evaluation")]
__getattr__, __dir__, __all__ = attach(__name__, __file__, older=_OLDER, rooms=_ROOMS)

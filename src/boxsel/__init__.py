"""A reasoner for Statistical EL: proportions over hierarchies.

The public names stand in `__init__.pyi`; those that are needed less often are in `boxsel.logic`,
`boxsel.build`, `boxsel.models` and `boxsel.evaluation`.

Examples:
    >>> import boxsel
    >>> kb = boxsel.parse("(Admitted | DeptA)[0.8]")
    >>> kb
    <KB: 1 conditional>
"""

from __future__ import annotations

from boxsel.machine.public import attach

_BUILDERS = {f"build_{kind}": f"boxsel.build.{kind}" for kind in ("graph", "table", "rules", "hpo")}
_ROOMS = ("boxsel.logic", "boxsel.models", "boxsel.reversals", "boxsel.evaluation")
__getattr__, __dir__, __all__ = attach(__name__, __file__, older=_BUILDERS, rooms=_ROOMS)

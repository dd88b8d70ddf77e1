"""What public functions return, as values to name in annotations and to look up."""

from __future__ import annotations

from boxsel.machine.public import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)

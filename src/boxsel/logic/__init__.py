"""The logic: concepts, axioms, proportions and knowledge bases, as immutable values."""

from boxsel.machine.public import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)

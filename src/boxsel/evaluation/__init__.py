"""The evaluation: the paper's experiments on counted ontologies, and exact truth beside them."""

from boxsel.machine.public import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)

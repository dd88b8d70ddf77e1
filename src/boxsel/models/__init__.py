"""Models: ensembles of embeddings that show what is possible.

From a knowledge base to arrays (`numbering`, `rows`), from arrays to regions (`representations`),
from regions to losses and gradients (`losses`, `training`), from trained members to answers
(`model`, `estimate`, `witness`).
"""

from boxsel.machine.public import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)

"""Simpson's paradox: comparisons of two groups that turn round when they are made by stratum.

Question (which rates are compared) → goals (what a reversal asks of the shares) → search (a model
that meets a goal, or the proof that none does) → verdicts. A table has one share for each rate,
and needs no search.
"""

from boxsel.machine.public import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)

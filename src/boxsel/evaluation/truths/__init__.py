"""Truths: what predictions are compared with, from two premises alone or from all that is known.

`pmp` is the interval of a pair of premises. `exact` is the interval of a query: `chains` finds the
queries that are determined to a point, the exact reasoner answers the others. `store` keeps the
answers in files, and `compute` fills them, in several processes at once.
"""

"""Truths: the interval of a query from all that is known, which predictions are compared with.

`chains` finds the queries that are determined to a point, and `exact` lets the exact reasoner
answer the others, in several processes at once. `store` keeps the answers in files.
"""

"""A table counted into conditionals: a contingency table, or one of individuals.

Source → cells (how many rows have each combination of values) → chosen heads and bodies →
conditionals.
"""

"""Populations that attain a bound from few rows and obey all of them, without a linear programme.

`layout` (names, clauses and ratios as numbers), `population` and `placing` (weighted types, grown
name by name), `fitting` (their weights), `face` (where to start), `rounding` (exact weights),
`extension` (all of that), `nesting` (shorter: every name to the first types that may have it).
"""

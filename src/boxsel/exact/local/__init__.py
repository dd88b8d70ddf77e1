"""Exact optima from few conditionals, for problems whose types are too many to list.

Most conditionals do not bind: an exact optimum under the few around the query is a bound that
holds under all, and it is the answer if a weighting that attains it can be extended to all names
and conditionals. That needs no linear programme: `layout` (names, clauses and ratios as numbers),
`population` and `placing` (weighted types, grown name by name), `fitting` (their weights),
`face` (where to start), `rounding` (exact weights), `extension` (all of that). `nested` tries a
shorter way first: every name to the first types, in one order, that may have it. `local` is the
entry point.
"""

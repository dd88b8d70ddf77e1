"""A knowledge graph counted into conditionals, in one pass.

Sources → tables of types, taxonomy, facts and labels → chosen concepts and roles → the bit pattern
of every entity → counts by matrix products → conditionals.
"""

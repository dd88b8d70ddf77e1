"""Exact reasoning: type elimination and linear programming by column generation.

The pipeline, a module each: `modules` (the axioms that matter for a query), `vocabulary` and
`problem` (types, clauses and rows), `space` (the types, listed or searched), `programme` (the
linear programmes over them), `survivors` (types that lack witnesses are eliminated), `engine`,
`reasoner`. Two rooms give the same answers faster: `counted` and `local`. Users call `bounds` and
what is in `diagnosis`.
"""

"""Exact reasoning: types, linear programmes over their weights, and the ladder of ways to optima.

`compile` turns axioms into clauses and rows over types, `types` lists or searches them, `lp` solves
programmes over their weights, `ways` has a file for each way to an optimum. `ladder` has them in
order, `elimination` removes types that lack witnesses around them, `reasoner` answers many
questions, `schedule` one of them under a budget. Users call `bounds` and what is in `diagnosis`;
`typical` has the most even population.
"""

"""Knowledge bases that were counted from data, where exact answers are cheap.

Most of their conditionals are 0 or 1 and leave few types, and the others are points, that is
equations. `separated` is for names only: the equations fix the weights of a base, and every other
name is a small programme over it. `decomposed` is for roles: no conditional joins two
existentials, so that pairs of a type and one role's existentials are enough. `merged` is for
thinned graphs with roles: patterns of the few names that an existential is counted with are enough.
"""

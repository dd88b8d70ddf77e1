"""What the ways for counted data share: points as equations, types in parts, satellites.

Most conditionals of a counted graph are 0 or 1 and leave few types, and the others are points, that
is equations.
"""

"""The ways to exact bounds, a file each; `exact.ladder` has their order."""

"""Baselines: predictions that need no model, one in each file, for others to be better than."""

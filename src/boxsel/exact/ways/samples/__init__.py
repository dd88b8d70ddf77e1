"""Populations that are drawn: sampled types whose weights are calibrated to all conditionals."""

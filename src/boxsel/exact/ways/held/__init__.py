"""Chains that are held in bodies: the most even population where it can only be sampled."""

"""Comparisons: how the shares of two queries differ in all models, with proofs cell by cell."""

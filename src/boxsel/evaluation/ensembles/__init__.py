"""Ensembles on a split: trained, measured, asked, and pushed."""

"""A reasoner for Statistical EL: proportions over hierarchies."""

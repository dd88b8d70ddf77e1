"""The evaluation: the paper's experiments on counted ontologies, and exact truth beside them."""

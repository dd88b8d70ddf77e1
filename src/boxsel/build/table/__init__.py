"""A contingency table, or a table of individuals, as a knowledge base."""

"""Axioms as types, clauses and rows, and the axioms that matter for a question."""

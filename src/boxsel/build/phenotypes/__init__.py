"""The Human Phenotype Ontology and its disease annotations as a knowledge base.

Ontology and annotations are read → rows about one phenotype are put together → conditionals over
the is-a hierarchy → contradictions within each disease → the least relaxation, and tables for
curators.
"""

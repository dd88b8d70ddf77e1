"""The Human Phenotype Ontology and its disease annotations as a knowledge base."""

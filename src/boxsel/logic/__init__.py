"""The logic: concepts, axioms, proportions and knowledge bases, as immutable values."""

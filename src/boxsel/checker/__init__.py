"""The checker of certificates: code of its own that shares nothing with the reasoner."""

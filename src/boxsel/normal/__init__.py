"""The normal form of a knowledge base, and what its deterministic part entails."""

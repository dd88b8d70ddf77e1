"""Local inference rules, applied until nothing moves: sound intervals at any size."""

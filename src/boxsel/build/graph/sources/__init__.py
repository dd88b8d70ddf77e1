"""Where a graph comes from: one module for each kind of source."""

"""How roles are represented, one map a file."""

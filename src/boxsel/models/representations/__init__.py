"""How concepts are represented, one representation a file."""

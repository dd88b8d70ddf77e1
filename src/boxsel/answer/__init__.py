"""One answer from both sides: what is certain, what is possible, and what ensembles estimate."""

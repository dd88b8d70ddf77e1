"""The ontologies of the evaluation: counted from graphs, from annotations, or drawn at random."""

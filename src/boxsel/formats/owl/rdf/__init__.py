"""OWL as RDF graphs: the OWL 2 mapping to RDF graphs, in both directions."""

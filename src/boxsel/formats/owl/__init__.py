"""OWL 2: reading the part that SEL reasons with, and writing all of SEL as OWL.

What SEL does not have is left out and counted; a conditional travels as an annotated
tautology. The serialisations share everything but their spelling: OWL/XML, functional syntax
and OBO are parsed by py-horned-owl, RDF/XML and Turtle by pyoxigraph.
"""

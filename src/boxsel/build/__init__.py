"""Knowledge bases from data: graphs, tables, mined rules and annotated ontologies.

Each kind of data has a folder whose one public function gives what was `Built`: a knowledge base,
and a report of how it came about.
"""

from boxsel.machine.public import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)

"""Where a graph comes from: one module for each kind of source.

Each module's reader gives relations: rows that lie in a database under a name, as triples or as
one of the four tables. `registry` finds the kind of a file, `splitting` says in SQL which triples
belong to which table.
"""

"""What an answer rests on, what contradicts what, and how to repair it.

`parts` reasons with parts of a knowledge base and finds minimal ones. On it stand `conflicts`
and `check`, `explanation` (told by `derivation`), and `repair` (computed by `least_relaxation`).
"""

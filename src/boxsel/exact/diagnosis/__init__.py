"""What an answer rests on, what contradicts what, and how to repair it.

`parts` reasons with parts of a knowledge base and finds minimal ones. On it stand `conflicts`,
`causes` (conflicts with all names that they empty) and `check`, `explanation` (told by
`derivation`), and `repair` (of `groups` of conflicts, computed by `least_relaxation`).
"""

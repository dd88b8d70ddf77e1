"""Mined rules (AMIE, AnyBURL) as conditionals, where Statistical EL can say them."""

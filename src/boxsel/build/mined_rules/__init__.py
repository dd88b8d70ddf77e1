"""Mined rules (AMIE, AnyBURL) as conditionals, where Statistical EL can say them.

File → lines (a rule and its numbers) → atoms → concepts about one variable → conditionals. Rules
that are not about one variable are listed with the reason.
"""

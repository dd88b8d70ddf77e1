"""Splits: what is known, what is asked, and the premises that probabilistic modus ponens uses."""

"""Advice about an answer: which number to measure next, and which statement may be missing."""

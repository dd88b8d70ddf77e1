"""The version of boxsel, in one place."""

__version__ = "0.1.0"

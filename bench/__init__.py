"""Measurements beside peers; `python -m bench`. Not part of the package, never a test."""

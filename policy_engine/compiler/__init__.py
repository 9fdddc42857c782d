"""Compile a checked tree to a Program."""

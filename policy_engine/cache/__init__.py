"""Compiled policies and the modules of the hook, on disk."""

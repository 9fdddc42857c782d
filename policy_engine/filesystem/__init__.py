"""Paths, globs and the file system, the real one and the one of tests."""

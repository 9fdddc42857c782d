"""Readers of code that stands within a command: what Python, JavaScript and other languages would do."""

"""The decision log: a chain of redacted records, written and checked."""

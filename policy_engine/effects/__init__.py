"""Derive from a command what it reads, writes, deletes, starts, sends and destroys."""

"""Checked conditions → what can be proved of them without an event: never true, always true, one implies another."""

"""Prove properties of checked conditions without an event: never true, always true, one implies another."""

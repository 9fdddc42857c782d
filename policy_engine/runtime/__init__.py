"""Decide an event by a Program."""

"""Formats of two earlier systems; see `policy_engine/migrations/base.py`."""

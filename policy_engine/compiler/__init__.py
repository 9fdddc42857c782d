"""Checked tree → Program."""

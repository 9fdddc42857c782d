"""Handlers of the table of programs: what a program touches, where its row cannot say it."""

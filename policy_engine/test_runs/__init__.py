"""Decide what counts as a run of a repository's tests: the table of runners, and what a line and its result prove."""

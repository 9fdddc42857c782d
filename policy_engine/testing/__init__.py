"""Tests of a policy → outcomes: each `test` block is played on a virtual workspace and compared with its word."""

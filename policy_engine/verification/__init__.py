"""Run a stage of `verify` in a folder: what ran, how it ended and the failures that its output names."""

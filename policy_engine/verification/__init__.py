"""A stage of `verify` and a folder → what ran, how it ended and the failures that its output names."""

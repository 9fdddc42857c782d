"""From disk to a live Program."""

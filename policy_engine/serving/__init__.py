"""The resident engine: the hook's own code in a process that is there already."""

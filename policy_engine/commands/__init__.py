"""Family: one command of the command line per file."""

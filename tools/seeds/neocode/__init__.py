"""Family: the areas of neo-code, a group of them per file."""

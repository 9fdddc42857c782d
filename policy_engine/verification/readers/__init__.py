"""Family: one tool per file, its output → the failures that it names."""

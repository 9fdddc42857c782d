"""Family: one tool per file, which reads the failures that its output names."""

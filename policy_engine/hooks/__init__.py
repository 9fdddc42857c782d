"""Family: one lifecycle point per file."""

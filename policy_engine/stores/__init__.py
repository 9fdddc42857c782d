"""Family: where the past is kept."""

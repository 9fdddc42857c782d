"""Family: output formats."""

"""Family: advice on policies that are valid, one file per lint."""

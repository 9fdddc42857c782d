"""Family: words that a condition may use."""

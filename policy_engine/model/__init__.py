"""Ground: values that every room speaks of."""

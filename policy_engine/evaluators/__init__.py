"""Family closed by the grammar: how a condition gets its answer."""

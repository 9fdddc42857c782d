"""Tree → checked tree and diagnostics."""

"""Check a tree: checked tree and diagnostics."""

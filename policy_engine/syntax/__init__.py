"""Policy text → tree, and back."""

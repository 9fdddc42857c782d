"""Parse policy text to a tree, and print a tree as text."""

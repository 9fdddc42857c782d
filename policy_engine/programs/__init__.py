"""The table of programs that a shell line starts: what each does with its words."""

"""Family: what a shell program does with its arguments, one file each."""

"""Family: one in-process agent framework per file, imported by whoever uses that framework and by nobody else."""

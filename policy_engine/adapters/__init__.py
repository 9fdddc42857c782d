"""Family: one coding agent per file, native payload ↔ event and decision."""

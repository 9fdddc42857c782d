"""Family: the chapters of the reference, one per file; each reads one part of the code."""

"""Share what coding agents have in common: reading payloads, wording answers, and the usual hook protocol."""

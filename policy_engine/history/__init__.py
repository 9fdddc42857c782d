"""Facts of a session and their constant-size monitors."""

"""Files that the engine keeps for itself: private, whole or absent, and of this user only."""

"""A person's consent to what a repository's commands execute."""

"""Run the `test` blocks of a policy on virtual workspaces, and compare each with its expectation."""

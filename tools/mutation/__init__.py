"""Mutation testing of the decision path: changes of its code that some test must notice."""

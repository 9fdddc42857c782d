"""The documentation: pages for people, and the program that writes the reference out of the code."""

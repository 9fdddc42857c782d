"""A command line → simple commands with effects."""

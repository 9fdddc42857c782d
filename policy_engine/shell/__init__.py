"""Read a shell line as the simple commands that it runs."""

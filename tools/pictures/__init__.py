"""The pictures of the documentation: real programs run at a terminal of their own, and what stood there is drawn."""

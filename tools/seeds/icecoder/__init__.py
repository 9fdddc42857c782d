"""The areas of iceCoder: one file for each group of them; host, words and player are what they share."""

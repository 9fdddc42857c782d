"""Small functions for texts."""


def title(text: str) -> str:
    """The first letter of every word in upper case."""
    return " ".join(word.capitalize() for word in text.split())

import unittest

from src import texts


class SlugTest(unittest.TestCase):
    def test_words(self) -> None:
        self.assertEqual(texts.slug("A New Day"), "a-new-day")

    def test_signs(self) -> None:
        self.assertEqual(texts.slug("  What, now?! "), "what-now")

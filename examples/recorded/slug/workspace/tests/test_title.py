import unittest

from src.texts import title


class TitleTest(unittest.TestCase):
    def test_words(self) -> None:
        self.assertEqual(title("a new day"), "A New Day")

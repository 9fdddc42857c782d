"""Words written with quotes, backslashes and codes."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from tests.generated.disguises.base import Disguise, Line, Place, is_plain


def single(word: str, rng: Random) -> str:
    cut = rng.randrange(len(word) + 1)
    return f"{word[:cut]}'{word[cut:]}'" if rng.random() < 0.5 else f"'{word[:cut]}'{word[cut:]}"


def double(word: str, rng: Random) -> str:
    cut = rng.randrange(len(word) + 1)
    return f'{word[:cut]}""{word[cut:]}' if rng.random() < 0.5 else f'"{word[:cut]}"{word[cut:]}'


def backslash(word: str, rng: Random) -> str:
    return "".join(f"\\{char}" if not place or rng.random() < 0.5 else char for place, char in enumerate(word))


def hexadecimal(word: str, rng: Random) -> str:
    return "$'" + "".join(f"\\x{ord(char):02x}" if rng.random() < 0.6 else char for char in word) + "'"


def octal(word: str, rng: Random) -> str:
    return "$'" + "".join(f"\\{ord(char):03o}" if rng.random() < 0.6 else char for char in word) + "'"


def unicode(word: str, rng: Random) -> str:
    return "".join(f"$'\\u{ord(char):04x}'" if rng.random() < 0.4 else char for char in word)


def locale(word: str, rng: Random) -> str:
    cut = rng.randrange(len(word) + 1)
    return f'{word[:cut]}$"{word[cut:]}"'


def mixed(word: str, rng: Random) -> str:
    return "".join(rng.choice((char, f"'{char}'", f'"{char}"', f"\\{char}", f"$'{char}'")) for char in word)


def empty(word: str, rng: Random) -> str:
    return "".join(char + rng.choice(("", "", "''", '""', "$''")) for char in word)


def _each(form: Callable[[str, Random], str]) -> Disguise:
    def disguise(line: Line, rng: Random, place: Place) -> Line | None:
        if line.argv is None:
            return None
        words = []
        for number, word in enumerate(line.argv):
            chosen = is_plain(word) and (rng.random() < 0.5 or number == 0)
            words.append(form(word, rng) if chosen else _kept(word))
        return Line(" ".join(words), line.argv)

    return disguise


def _kept(word: str) -> str:
    return word if is_plain(word) else "'" + word.replace("'", "'\\''") + "'"


DISGUISES = {
    form.__name__: _each(form)
    for form in (single, double, backslash, hexadecimal, octal, unicode, locale, mixed, empty)
}

"""Options in another order, bundled, spelled out, abbreviated, with noise between them."""

from __future__ import annotations

from random import Random

from tests.generated.disguises.base import Disguise, Line, Place, simple

# program → option letter → the long option of GNU's manual; harmless letters to add
_LONG = {
    "rm": {"r": "recursive", "R": "recursive", "f": "force", "v": "verbose", "i": "interactive", "d": "dir"},
    "cp": {"r": "recursive", "R": "recursive", "f": "force", "v": "verbose", "a": "archive", "p": "preserve"},
    "mv": {"f": "force", "v": "verbose", "n": "no-clobber"},
    "chmod": {"R": "recursive", "v": "verbose", "f": "silent", "c": "changes"},
    "chown": {"R": "recursive", "v": "verbose"},
    "tee": {"a": "append"},
    "cat": {"n": "number", "A": "show-all", "b": "number-nonblank"},
    "base64": {"d": "decode"},
}
_NOISE = {"rm": "v", "cp": "v", "mv": "v", "chmod": "v", "chown": "v", "tee": "i", "cat": "n"}
_SUFFICIENT = {
    "recursive": 3,
    "force": 2,
    "verbose": 4,
    "archive": 2,
    "append": 2,
    "number": 6,
    "decode": 2,
    "silent": 2,
    "dir": 3,
}


def _bundle(line: Line) -> tuple[int, str] | None:
    if line.argv is None or line.argv[0] not in _LONG:
        return None
    letters = _LONG[line.argv[0]]
    for number, word in enumerate(line.argv):
        if word == "--":
            return None
        if len(word) > 1 and word[0] == "-" and set(word[1:]) <= set(letters):
            return number, word[1:]
    return None


def _changed(line: Line, number: int, words: list[str]) -> Line:
    assert line.argv is not None
    return simple((*line.argv[:number], *words, *line.argv[number + 1 :]))


def order(line: Line, rng: Random, place: Place) -> Line | None:
    found = _bundle(line)
    if found is None:
        return None
    letters = list(found[1])
    rng.shuffle(letters)
    return _changed(line, found[0], ["-" + "".join(letters)])


def apart(line: Line, rng: Random, place: Place) -> Line | None:
    found = _bundle(line)
    return None if found is None else _changed(line, found[0], [f"-{letter}" for letter in found[1]])


def long(line: Line, rng: Random, place: Place) -> Line | None:
    found = _bundle(line)
    if found is None or line.argv is None:
        return None
    words = []
    for letter in found[1]:
        name = _LONG[line.argv[0]][letter]
        words.append("--" + (name[: rng.randrange(_SUFFICIENT.get(name, len(name)), len(name) + 1)]))
    return _changed(line, found[0], words)


def noise(line: Line, rng: Random, place: Place) -> Line | None:
    if line.argv is None or line.argv[0] not in _NOISE or "--" in line.argv:
        return None
    return simple((line.argv[0], f"-{_NOISE[line.argv[0]]}", *line.argv[1:]))


def dashes(line: Line, rng: Random, place: Place) -> Line | None:
    """`--` before the operands."""
    if line.argv is None or line.argv[0] not in _LONG or "--" in line.argv:
        return None
    letters = set(_LONG[line.argv[0]])
    if any(word[:1] == "-" and not set(word[1:]) <= letters for word in line.argv[1:]):
        return None  # an option may take the next word
    words = line.argv[1:]
    first = next((n for n, word in enumerate(words) if word[:1] != "-"), len(words))
    if any(word[:1] == "-" for word in words[first:]):
        return None
    return simple((line.argv[0], *words[:first], "--", *words[first:]))


def behind(line: Line, rng: Random, place: Place) -> Line | None:
    """GNU programs take options behind operands."""
    found = _bundle(line)
    if found is None or line.argv is None:
        return None
    words = [word for n, word in enumerate(line.argv) if n != found[0]]
    return simple((*words, f"-{found[1]}"))


def more_operands(line: Line, rng: Random, place: Place) -> Line | None:
    if line.argv is None or line.argv[0] != "rm" or not any(word[:1] != "-" for word in line.argv[1:]):
        return None
    return simple((*line.argv, rng.choice(("build", "dist/x", "zz"))))


DISGUISES: dict[str, Disguise] = {
    form.__name__: form for form in (order, apart, long, noise, dashes, behind, more_operands)
}

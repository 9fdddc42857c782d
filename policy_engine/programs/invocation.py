"""Find the verb among a program's words, and the options of the whole invocation.

`git -C x push --force` has the verb `push`; which options may stand before it, and which of them take a value, the
table of programs says. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.partial import is_known, shown
from policy_engine.model.undecided import Undecided
from policy_engine.programs._rows import BEFORE_VERB, MODEL_OF, ROWS

_TOOLCHAINS = ("cargo", "rustup", "rustc")  # `cargo +nightly build`
_CONFIGURING = ("-c", "--config-env", "--exec-path")
MANY_VERBS = frozenset(
    name for key, row in ROWS.items() if row.get("many_verbs") for name in (key, *row.get("names", "").split())
)
"""Programs that do what each of their words says: `make -k clean release` releases."""
_cache: dict[str, dict[str, bool] | None] = {}


def options_before_verb(program: str) -> dict[str, bool] | None:
    """Return the options that may stand before a program's verb, each with whether it takes a value.

    Returns None for a program that is not known to have verbs.
    """
    if program not in _cache:
        row = ROWS.get("git") if MODEL_OF.get(program, program) == "git" else None
        listed = BEFORE_VERB.get(program) if row is None else row["options"]
        made = None
        if listed is not None:
            made = {option.removesuffix("=").removesuffix("[="): option.endswith("=") for option in listed.split()}
        _cache[program] = made
    return _cache[program]


def verb_place(argv: tuple[str, ...]) -> int | None:
    """Return the place of the verb in a program's words.

    Returns:
        The place; the number of words if there is no verb; None for a program that is not known to have verbs.

    Raises:
        Undecided: a word before it is not known, or an option that may take it for its value.
    """
    options = options_before_verb(argv[0].rpartition("/")[2])
    if options is None:
        return None
    place = 1
    while place < len(argv):
        word = argv[place]
        if not is_known(word):
            raise Undecided(f"the verb of `{shown(argv[0])[:80]}` is not known: it may be `{shown(word)[:80]}`")
        name, equals, _ = word.partition("=")
        if word[:1] == "+" and argv[0].rpartition("/")[2] in _TOOLCHAINS:
            place += 1
        elif word[:1] != "-" or word in ("-", "--"):
            return place
        elif name in options:
            place += 2 if options[name] and not equals else 1
        elif equals or _is_glued(word, options) or _is_bundle(word, options) or word[2:].isdecimal():
            place += 1
        elif place + 1 < len(argv) and argv[place + 1][:1] != "-":
            raise Undecided(f"whether `{word[:80]}` of `{argv[0][:80]}` takes a value is not modelled")
        else:
            place += 1
    return min(place, len(argv))


def values_before_verb(argv: tuple[str, ...], place: int, names: tuple[str, ...]) -> list[str]:
    """Return the values that options before the verb, which stands at `place`, give to these names."""
    options = options_before_verb(argv[0].rpartition("/")[2]) or {}
    found = []
    for word, follows in zip(argv[1:place], argv[2 : place + 1], strict=False):  # noqa: RUF007
        name, equals, value = word.partition("=")
        if name in names and (equals or options.get(name)):
            found.append(value if equals else follows)
        elif _is_glued(word, options) and word[:2] in names and len(word) > 2:
            found.append(word[2:])
    return found


def _is_glued(word: str, options: dict[str, bool]) -> bool:
    """`-Cfolder`: a short option with its value."""
    return word[:2] != "--" and options.get(word[:2], False)


def _is_bundle(word: str, options: dict[str, bool]) -> bool:
    """`-qv`: short options that take no value."""
    return word[:2] != "--" and all(options.get(f"-{letter}") is False for letter in word[1:])


def configures_program(argv: tuple[str, ...]) -> bool:
    """Return whether an option before git's verb chooses programs or settings: the verb may then do otherwise than
    it says.
    """
    place = verb_place(argv)
    name = argv[0].rpartition("/")[2]
    if place is None or MODEL_OF.get(name, name) != "git":
        return False
    return any(word.partition("=")[0] in _CONFIGURING for word in argv[1:place])


def without_options_before_verb(argv: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Return the words without the options that may stand before the verb, where that changes them.

    Two readings: without those that do stand before it, and without any of them, for they may stand behind a verb as
    well (`kubectl delete -n prod pod x`).

    Raises:
        Undecided: see `verb_place`.
    """
    name = argv[0].rpartition("/")[2]
    if len(argv) > 2 and name in MANY_VERBS:
        raise Undecided(f"`{argv[0][:80]}` does what several of its words say")
    place = verb_place(argv)
    if place is None:
        if len(argv) > 2 and argv[1][:1] == "-":
            raise Undecided(f"whether `{argv[1][:80]}` of `{argv[0][:80]}` takes a value is not modelled")
        return ()
    first = (argv[0], *argv[place:])
    options = options_before_verb(name) or {}
    kept: list[str] = [argv[0]]
    number = 1
    while number < len(argv):
        word = argv[number]
        name, equals, _ = word.partition("=")
        if word == "--":
            kept += argv[number:]
            break
        if word[:1] == "-" and name in options:
            number += 2 if options[name] and not equals else 1
            continue
        kept.append(word)
        number += 1
    readings = dict.fromkeys((first, tuple(kept)))
    return tuple(words for words in readings if words != argv)

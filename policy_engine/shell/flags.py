"""Read the flags of a program without a model, as far as the shape of its words decides."""

from __future__ import annotations

from policy_engine.model.partial import may_be_option, shown
from policy_engine.model.undecided import Undecided


def has_flag_by_shape(argv: tuple[str, ...], names: tuple[str, ...]) -> bool:
    """Return whether one of `names` is given. Raises Undecided for a bundle, an abbreviation or a possible option
    value.
    """
    doubt = ""
    for place, word in enumerate(argv[1:], 1):
        if word == "--":
            break
        if may_be_option(word):
            doubt = doubt or shown(word)
            continue
        given = word.partition("=")[0] if word.startswith("--") else word
        if given in names:
            if not doubt and (place == 1 or argv[place - 1][:1] != "-" or "=" in argv[place - 1]):
                return True
            doubt = doubt or word  # it may be the value of the option before it
        elif any(_may_stand_for(given, name) for name in names):
            doubt = doubt or word
    if doubt:
        raise Undecided(f"`{doubt[:80]}` of `{argv[0][:80]}` is not modelled")
    return False


def _may_stand_for(given: str, name: str) -> bool:
    if name.startswith("--"):
        return len(given) > 2 and given.startswith("--") and name.startswith(given)
    return len(name) == 2 and given[:1] == "-" and given[:2] != "--" and name[1] in given[1:]


def flag_values_by_shape(argv: tuple[str, ...], names: tuple[str, ...]) -> tuple[str, ...]:
    """The values in `--name=value`. Raises Undecided where a value may also stand elsewhere."""
    values: list[str] = []
    for word in argv[1:]:
        if word == "--":
            break
        if may_be_option(word):
            raise Undecided(f"`{shown(word)[:80]}` of `{argv[0][:80]}` is not known")
        name, equals, value = word.partition("=")
        if name in names and equals and name.startswith("--"):
            values.append(value)
        elif word in names or any(_may_stand_for(name, wanted) for wanted in names):
            raise Undecided(f"`{word[:80]}` of `{argv[0][:80]}` is not modelled")
    return tuple(values)

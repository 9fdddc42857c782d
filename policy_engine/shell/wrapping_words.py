"""Split the words of a wrapper into its options and the command that it starts.

Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.partial import MANY, is_known, may_be_option
from policy_engine.shell.folders import go

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.shell.walk import Walker
    from policy_engine.shell.walk_command import Simple


class Options:
    """The words before the command: `pairs` options with values, `flags` the others, `rest` what follows."""

    __slots__ = ("pairs", "flags", "rest")

    def __init__(self, pairs: list[tuple[str, str]], flags: list[str], rest: list[str]) -> None:
        self.pairs = pairs
        self.flags = flags
        self.rest = rest

    def has(self, *names: str) -> bool:
        """Return whether one of the options without a value is given, bundled or not."""
        for flag in self.flags:
            if flag in names or (flag[:2] != "--" and any(f"-{letter}" in names for letter in flag[1:])):
                return True
        return any(option in names for option, _ in self.pairs)


def options_of(words: list[str], short: str, long: tuple[str, ...]) -> Options | None:
    """Options up to the first operand; None if a word there is not known."""
    pairs: list[tuple[str, str]] = []
    flags: list[str] = []
    place = 0
    while place < len(words):
        word = words[place]
        if may_be_option(word) or (word[:1] == "-" and not is_known(word.partition("=")[0])):
            return None
        if word == "--":
            place += 1
            break
        if word[:1] != "-" or word == "-":
            break
        place += 1
        if word[:2] == "--" or (len(word) > 2 and word[1:] in long):
            name, equals, value = word.partition("=")
            if equals:
                pairs.append((name, value))
            elif name.lstrip("-") in long or sum(known.startswith(name[2:]) for known in long) == 1:
                pairs.append((name, words[place] if place < len(words) else ""))
                place += 1
            else:
                flags.append(word)
            continue
        for number, letter in enumerate(word[1:], 1):
            if letter in short:
                value = word[number + 1 :]
                if not value:
                    value = words[place] if place < len(words) else ""
                    place += 1
                pairs.append((f"-{letter}", value))
                flags += [word[:number]] if number > 1 else []
                break
        else:
            flags.append(word)
    return Options(pairs, flags, words[place:])


def start_inner(
    walker: Walker,
    simple: Simple,
    argv: tuple[str, ...],
    via: str,
    status: bool,
    env: tuple[str, ...] = (),
    folder: str | None = None,
    moved: bool = False,
    elsewhere: bool = False,
) -> None:
    """The command that a wrapper starts: a program, never a builtin of this shell or a function.

    `status`: the wrapper's exit status is the command's; `folder`: where it runs instead; `moved`: on another file
    system, so that its paths are not ours; `elsewhere`: in a folder that nobody knows.
    """
    if not argv:
        return
    state = simple.state.copy()
    state.functions, state.aliases = {}, {}
    if elsewhere:
        state.lose_cwd(f"`{via}` starts it in a folder of its own")
    if moved:
        state.lose_cwd(f"`{via}` starts it on another file system")
    elif folder is not None:
        if is_known(folder):
            go(walker, state, folder, physical=True)
        else:
            state.lose_cwd(f"where `{via}` starts it is not known")
    context = simple.context.within(via=(*simple.context.via, via), nonzero=False)
    inner = simple.but(argv, context if status else context.unproven(), env)
    inner.state = state
    if not is_known(argv[0]) or argv[0] in ("cd", "eval", "exec", "export", "set", "source", "."):
        walker.emit_simple(inner if is_known(argv[0]) else inner.but((MANY, *argv[1:]), inner.context))
        return
    walker.run(inner)

"""Match paths against globs, and tell what is wrong with a glob and where.

`*` and `?` within a component, `**` across, `[...]`, `{a,b}`. A glob matches the whole path and any file name (leading
dots and newlines too), relative to the workspace unless it is absolute (`/…`) or below the home folder (`~/…`).
`src/**` leaves out `src` itself. There is no escape character: `[*]` is a literal star. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.filesystem.glob_components import (
    character_set,
    matcher,
    may_match,
    merged,
    parse_components,
    reaches,
)
from policy_engine.model.limits import GLOB_ALTERNATIVES, PATH_BYTES
from policy_engine.model.undecided import Undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_CACHE_ENTRIES = 4096
_ANSWERS = 128  # that are kept for each of these
_matchers: dict[str, Callable[[str], bool]] = {}
_sorted: dict[tuple[str, ...], _Sorted] = {}


class _Sorted:
    """Globs by where they begin, those of one beginning as one test; None where there are none."""

    __slots__ = ("absolute", "home", "known", "relative")

    def __init__(self, texts: tuple[str, ...]) -> None:
        home = [text for text in texts if text == "~" or text[:2] == "~/"]
        absolute = [text for text in texts if text[:1] == "/"]
        relative = [text for text in texts if text not in home and text not in absolute]
        self.absolute = merged([text[1:] for text in absolute]) if absolute else None
        self.home = merged([text[2:] for text in home]) if home else None
        self.relative = merged(relative) if relative else None
        self.known: dict[tuple[str | None, str, str | None], bool] = {}  # the answers that were given last

    def match(self, relative: str | None, absolute: str, home: str | None) -> bool:
        """Return whether one matches. Raises Undecided where one is below a home folder that is not known."""
        path = (relative, absolute, home)
        known = self.known.get(path)
        if known is None:
            if len(self.known) >= _ANSWERS:
                self.known.clear()
            known = self.known[path] = self._match(relative, absolute, home)
        return known

    def _match(self, relative: str | None, absolute: str, home: str | None) -> bool:
        if self.relative is not None and relative is not None and self.relative(relative):
            return True
        if self.absolute is not None and self.absolute(absolute[1:]):
            return True
        if self.home is None:
            return False
        if home is None:
            raise Undecided("the home folder is not known")
        if absolute == home:
            return self.home("")
        return absolute.startswith(home + "/") and self.home(absolute[len(home) + 1 :])


def _sort(texts: tuple[str, ...]) -> _Sorted:
    sorted_texts = _sorted.get(texts)
    if sorted_texts is None:
        if len(_sorted) >= _CACHE_ENTRIES:
            _sorted.clear()
        sorted_texts = _sorted[texts] = _Sorted(texts)
    return sorted_texts


def needs_home(pattern: tuple[tuple[str, ...], tuple[str, ...]]) -> bool:
    """Return whether a glob of the pattern lies below the home folder."""
    return any(_sort(texts).home is not None for texts in pattern if texts)


def glob_matches(
    pattern: tuple[tuple[str, ...], tuple[str, ...]],
    relative: str | None,
    absolute: str,
    home: str | None = None,
    recursive: bool = False,
) -> bool:
    """Return whether one of `include` and none of `exclude` matches.

    `relative` is the path below the workspace ("" the workspace itself, None outside), `absolute` the canonical one,
    `home` the canonical home folder. `recursive` asks instead whether the path or anything that could lie below it
    matches. Raises Undecided for a `~/` glob when `home` is None.
    """
    include, exclude = pattern
    if not recursive and "\0" not in absolute:
        return _sort(include).match(relative, absolute, home) and not (
            exclude and _sort(exclude).match(relative, absolute, home)
        )
    if not any(_one(text, relative, absolute, home, recursive) for text in include):
        return False
    for text in exclude:
        if _one(text, relative, absolute, home, False) and (not recursive or _covers_all(text)):
            return False
    return True


def glob_covers(
    pattern: tuple[tuple[str, ...], tuple[str, ...]],
    relative: str | None,
    absolute: str,
    home: str | None = None,
    recursive: bool = True,
) -> bool:
    """Return whether the path matches, and with it all that could lie below; arguments as of `glob_matches`."""
    include, exclude = pattern
    if not any(_one(text, relative, absolute, home, False) for text in include):
        return False
    if any(_one(text, relative, absolute, home, recursive) for text in exclude):
        return False
    return not recursive or any(_all_below(text, relative, absolute, home) for text in include)


def _all_below(text: str, relative: str | None, absolute: str, home: str | None) -> bool:
    """Return whether everything strictly below the path matches one glob."""
    if not _covers_all(text):
        return False
    if _one(text, relative, absolute, home, False):
        return True
    folder = text.removesuffix("**").removesuffix("/")
    return folder not in ("", "~") and _one(folder, relative, absolute, home, False)


def _one(text: str, relative: str | None, absolute: str, home: str | None, recursive: bool) -> bool:
    first = text[:1]
    if first == "/":
        text, subject = text[1:], absolute[1:]
    elif first == "~" and (text == "~" or text[1] == "/"):
        if home is None:
            raise Undecided("the home folder is not known")
        if absolute == home:
            text, subject = text[2:], ""
        elif absolute.startswith(home + "/"):
            text, subject = text[2:], absolute[len(home) + 1 :]
        else:
            return recursive and (absolute == "/" or home.startswith(absolute + "/"))
    elif relative is None:
        return False
    else:
        subject = relative
    if recursive and reaches(text, subject):
        return True
    if "\0" in subject:
        return may_match(parse_components(text), subject)
    return matcher_of(text)(subject)


def matcher_of(text: str) -> Callable[[str], bool]:
    """Return the test of one glob without braces and leading slash, made once. Raises ValueError."""
    test = _matchers.get(text)
    if test is None:
        if len(_matchers) >= _CACHE_ENTRIES:
            _matchers.clear()
        test = _matchers[text] = matcher(parse_components(text))
    return test


def _covers_all(text: str) -> bool:
    """Return whether a match of the glob implies that everything below it matches as well."""
    return text == "**" or text.endswith("/**")


def expand_braces(text: str) -> tuple[str, ...]:
    """Expand `a{b,c}` to `ab`, `ac`; nests; braces within `[...]` are literal.

    Raises ValueError for unbalanced braces and for more than GLOB_ALTERNATIVES results.
    """
    opening = _skip_to(text, 0, "{}")
    if opening == len(text):
        return (text,)
    if text[opening] == "}":
        raise ValueError("`}` has no `{`")
    pieces, closing = _pieces(text, opening)
    if len(pieces) == 1:
        raise ValueError("`{…}` needs at least two alternatives, with a comma between")
    tails = expand_braces(text[closing + 1 :])
    results: list[str] = []
    for piece in pieces:
        for middle in expand_braces(piece):
            results += [text[:opening] + middle + tail for tail in tails]
            if len(results) > GLOB_ALTERNATIVES:
                raise ValueError(f"the glob has more than GLOB_ALTERNATIVES ({GLOB_ALTERNATIVES}) alternatives")
    return tuple(dict.fromkeys(results))


def _skip_to(text: str, place: int, wanted: str) -> int:
    """The next place of a wanted character outside `[...]`, or the end."""
    while place < len(text) and text[place] not in wanted:
        place = character_set(text, place)[1] if text[place] == "[" else place + 1
    return place


def _pieces(text: str, opening: int) -> tuple[list[str], int]:
    """The alternatives of the brace at `opening`, and the place of its `}`."""
    pieces: list[str] = []
    start = place = opening + 1
    depth = 0
    while (place := _skip_to(text, place, "{},")) < len(text):
        char = text[place]
        if depth == 0 and char in ",}":
            pieces.append(text[start:place])
            start = place + 1
            if char == "}":
                return pieces, place
        elif char != ",":
            depth += 1 if char == "{" else -1
        place += 1
    raise ValueError("`{` is not closed")


def literal_prefix(text: str) -> str:
    """Return the longest folder that every match lies in: `src` for `src/**/*.py` and `src/a.py`; "" if there is none.

    A glob below the home folder has none, because the folder depends on who asks.
    """
    if text[:1] == "~":
        return ""
    parts = text.split("/")[:-1]
    literal = 0
    while literal < len(parts) and not any(char in "*?[{" for char in parts[literal]):
        literal += 1
    return "/".join(parts[:literal]) or ("/" if text[:1] == "/" else "")


def glob_head(text: str) -> str:
    """Return the path that a glob without braces begins with: `/etc/` for `/etc/*.conf`, all of one without a star."""
    first = min((text.index(char) for char in "*?[" if char in text), default=len(text))
    folder, slash, _ = text[:first].rpartition("/")
    return text if first == len(text) else folder + slash


def glob_problem(text: str) -> tuple[int, str] | None:
    """Return where (offset in characters) and why the text is no glob; None if it is one."""
    if not text:
        return 0, "a glob is empty"
    if len(text) > PATH_BYTES:
        return 0, f"a glob is longer than PATH_BYTES ({PATH_BYTES})"
    for char, why in (("\0", "a glob contains NUL"), ("\\", "a glob has no escape character; put it into `[...]`")):
        if char in text:
            return text.index(char), why
    problem = _bracket_problem(text)
    if problem:
        return problem
    try:
        alternatives = expand_braces(text)
    except ValueError as error:
        return _skip_to(text, 0, "{}"), str(error)
    for alternative in alternatives:
        component_problem = _component_problem(alternative)
        if component_problem:
            return max(text.find(component_problem[0]), 0), component_problem[1]
    return None


def _bracket_problem(text: str) -> tuple[int, str] | None:
    place = 0
    while (place := text.find("[", place)) >= 0:
        try:
            after = character_set(text, place)[1]
        except ValueError as error:
            return place, str(error)
        if "/" in text[place:after]:
            return place, "`[...]` stands for one character within a component, never `/`"
        place = after
    return None


def _component_problem(text: str) -> tuple[str, str] | None:
    """The offending excerpt and the reason, for one alternative."""
    names = text.split("/")
    if text[:1] in "/~":
        if text[:1] == "~" and names[0] != "~":
            return names[0], "another user's home is not known; only `~/` is"
        names = names[1:]
    if not names or names[-1] == "":
        return "/", "a glob ends in `/`; write `/**` for everything below"
    for name in names:
        if name in ("", ".", ".."):
            return name + "/", f"a glob has a component `{name}`; write the path without it"
        if "**" in name and name != "**":
            return name, f"`**` stands alone between slashes, not within `{name}`"
    return None

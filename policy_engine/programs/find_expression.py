"""Pick the files, of those that are there now, that the tests of `find` may choose.

A test narrows only what it is known to narrow: names, paths, kinds and depths are compared, every other test may be
true of any file. Imported by the hook path, `re` only for `-regex`.
"""

from __future__ import annotations

from policy_engine.filesystem.glob_components import name_matches, name_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_VALUES = frozenset(
    (
        "-name -iname -path -ipath -wholename -iwholename -regex -iregex -type -xtype -mindepth -maxdepth -newer "
        "-anewer -cnewer -mtime -atime -ctime -mmin -amin -cmin -size -user -group -uid -gid -perm -links -inum "
        "-samefile -lname -ilname -fstype -used -context -regextype -printf -fprint -fprint0 -fls -files0-from -flags"
    ).split()
)
_PATTERNS = ("-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename", "-regex", "-iregex")
_STARTS = ("-exec", "-execdir", "-ok", "-okdir")
_ACTIONS = frozenset(("-delete", "-print", "-print0", "-printf", "-ls", "-fprint", "-fprint0", "-fprintf", "-fls"))
_TRUE = frozenset(("-true", "-depth", "-d", "-xdev", "-mount", "-follow", "-daystart", "-noleaf", "-warn", "-nowarn"))
MOST_FILES = 512


def deepest(tests: list[str]) -> int:
    """Return how deep below its roots the tests let `find` look, 0 if they set no bound."""
    limits = [tests[place + 1] for place, word in enumerate(tests[:-1]) if word == "-maxdepth"]
    return max(1, *map(int, limits)) if limits and all(map(str.isdecimal, limits)) else 0


class Expression:
    """The tests and actions of a call of `find`, behind its roots."""

    def __init__(self, tests: list[str]) -> None:
        self._tests = tests
        self._patterns: dict[tuple[str, str], Callable[[str], bool] | None] = {}
        self._reached: set[int] = set()
        self._pruned = False
        self._place = 0
        self._path, self._kind, self._depth = "", "f", 0

    def picks(self, root: str, files: Iterable[str], real: str, action: int | None = None) -> list[str]:
        """The paths, written from `root` on, that may reach the action of that place, or the end; folders too.

        `files` are real paths below `real`, the real path of the root.
        """
        kinds: dict[str, str] = {"": "d"}
        for file in files:
            below = file[len(real.rstrip("/")) + 1 :]
            parts = below.split("/")
            for number in range(1, len(parts)):
                kinds.setdefault("/".join(parts[:number]), "d")
            kinds[below] = "f"
        hidden: set[str] = set()
        picked: list[str] = []
        for below in sorted(kinds):
            if below and below.rpartition("/")[0] in hidden:
                hidden.add(below)
                continue
            path = f"{root.rstrip('/')}/{below}" if below else root
            value = self._evaluate(path, kinds[below], below.count("/") + 1 if below else 0)
            if self._pruned and "-delete" not in self._tests:
                hidden.add(below)
            if value is not False if action is None else action in self._reached:
                picked.append(path)
        return picked

    def _evaluate(self, path: str, kind: str, depth: int) -> bool | None:
        self._path, self._kind, self._depth = path, kind, depth
        self._reached, self._pruned, self._place = set(), False, 0
        for number, word in enumerate(self._tests[:-1]):
            limit = self._tests[number + 1]
            if word == "-mindepth" and limit.isdecimal() and depth < int(limit):
                return False
            if word == "-maxdepth" and limit.isdecimal() and depth > int(limit):
                return False
        return self._list(True)

    def _list(self, live: bool) -> bool | None:
        """`A , B`: the value of the last."""
        value = self._either(live)
        while self._next() == ",":
            self._place += 1
            value = self._either(live)
        return value

    def _either(self, live: bool) -> bool | None:
        value = self._both(live)
        while self._next() in ("-o", "-or"):
            self._place += 1
            other = self._both(live and value is not True)
            value = True if value is True or other is True else False if value is other is False else None
        return value

    def _both(self, live: bool) -> bool | None:
        value: bool | None = True
        while self._next() not in ("", ")", "-o", "-or", ","):
            if self._next() in ("-a", "-and"):
                self._place += 1
                continue
            other = self._one(live and value is not False)
            value = False if value is False or other is False else True if value is other is True else None
        return value

    def _one(self, live: bool) -> bool | None:
        word, place = self._next(), self._place
        self._place += 1
        if word in ("!", "-not"):
            value = self._one(live)
            return None if value is None else not value
        if word == "(":
            value = self._list(live)
            self._place += 1
            return value
        if word in _STARTS:
            while self._next() not in ("", ";") and not (self._next() == "+" and self._tests[self._place - 1] == "{}"):
                self._place += 1
            self._place += 1
            if live:
                self._reached.add(place)
            return None
        given = self._next() if word in _VALUES else ""
        self._place += 2 if word == "-fprintf" else word in _VALUES
        if word in _ACTIONS and live:
            self._reached.add(place)
        if word == "-prune" and live:
            self._pruned = True
        return self._test(word, given)

    def _test(self, word: str, given: str) -> bool | None:
        if word in _ACTIONS or word in _TRUE or word in ("-prune", "-mindepth", "-maxdepth", "-regextype"):
            return True
        if word in _PATTERNS:
            pattern = self._pattern(word, given)
            text = self._path.rstrip("/").rpartition("/")[2] if word in ("-name", "-iname") else self._path
            return None if pattern is None else pattern(text)
        if word == "-type":
            return any(kind == self._kind for kind in given.split(",")) if set(given) <= set("fd,") else None
        if word == "-false" or (word == "-empty" and self._kind == "d"):
            return False  # a folder is known by what lies in it
        return None

    def _pattern(self, word: str, given: str) -> Callable[[str], bool] | None:
        if (word, given) not in self._patterns:
            compiled = _regex(word, given) if word.endswith("regex") else _glob(word, given)
            self._patterns[word, given] = None if "\0" in given else compiled
        return self._patterns[word, given]

    def _next(self) -> str:
        return self._tests[self._place] if self._place < len(self._tests) else ""


def _glob(word: str, pattern: str) -> Callable[[str], bool] | None:
    """Compile a pattern of file names, where `*` takes slashes and leading dots, too; None if it is unclear."""
    fold = str.lower if word.startswith("-i") else str
    try:
        tokens = name_tokens(fold(pattern), escapes=True)
    except ValueError:
        return None
    return lambda text: name_matches(tokens, fold(text))


def _regex(word: str, pattern: str) -> Callable[[str], bool] | None:
    """Compile an expression that Emacs' dialect, which is find's, and Python read alike; None for any other."""
    if any(char in pattern for char in "\\|(){}"):
        return None
    import re

    try:
        compiled = re.compile(pattern, re.DOTALL | (re.IGNORECASE if word.startswith("-i") else 0))
    except re.error:
        return None
    return lambda text: compiled.fullmatch(text) is not None

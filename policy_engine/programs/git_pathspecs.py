"""Find the files that pathspecs of git fit, which git expands itself: `'*.md'` fits below folders too, `':(icase)X'`,
`':/x'` and `':!x'` have magic.

Git is asked what they fit now; where it cannot be, the files that are there are compared, rather too many than too
few. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue, under
from policy_engine.model.partial import is_known, shown
from policy_engine.model.undecided import ABSENT, Undecided
from policy_engine.programs.git_commits import is_nested
from policy_engine.programs.git_settings import repository_around

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.filesystem.repository import Repository
    from policy_engine.inline.effect_analysis import EffectAnalysis

SWITCHES = {f"--{sort}-pathspecs": f"GIT_{sort.upper()}_PATHSPECS" for sort in ("literal", "glob", "noglob", "icase")}
"""Options of git by which all pathspecs have a magic, with the variables that do the same."""
TRACKED, PRESENT = ("-c",), ("-c", "-o")
MAGIC = (":(", ":/", ":!", ":^")
_OFF = ("", "0", "false", "no", "off")
_SHORT = {"/": "top", "!": "exclude", "^": "exclude"}
_WILD = frozenset("*?[\\")
_EXACT = frozenset(("exclude", "top", "icase", "literal"))
_MOST = 2_048  # files of which more is known than that they are many, hidden ones first


def fitted(
    words: list[str],
    access: str,
    analysis: EffectAnalysis,
    files: tuple[str, ...] = PRESENT,
    recursive: bool = False,
    follow: bool = True,
) -> list[PathValue]:
    """Return what pathspecs name: the names in them, and the files that those fit which are no plain names.

    Args:
        words: the pathspecs.
        access: what is done with the files.
        analysis: of the call of git.
        files: the options of `git ls-files` that say which files are meant.
        recursive: whether what lies below a name is meant with it.
        follow: whether a link is followed that a name leads to.
    """
    read = [_Pathspec(word, _switched(analysis.env)) for word in words]
    named = [one.text for one in read if "exclude" not in one.magic and one.text]
    paths = [analysis.path(name, access, recursive, follow) for name in named]
    if access == "read" and files == TRACKED:  # what is left out makes no name of the rest
        words = [word for word, one in zip(words, read, strict=True) if one.fits_others]
        read = [one for one in read if one.fits_others and "exclude" not in one.magic]
    if not any(one.fits_others for one in read):
        return paths
    try:
        found = files_fitted(words, analysis.cwd, analysis.filesystem, analysis.env, files)
    except Undecided as unknown:
        names = " ".join(shown(word) for word in words)[:80]
        reason = f"which files `{names}` fits is not known: {unknown.reasons[0]}"
        return [*paths, analysis.unknown(names, reason, access, True)]
    if len(found) > _MOST and access != "read":
        paths.append(analysis.unknown(words[0], "too many files fit it", access, True))
    for real in found[:_MOST]:
        path = PathValue(real, real, access)
        path.text = analysis.filesystem.relative(path) or real
        paths.append(path)
    return paths


def is_pattern(word: str) -> bool:
    """Return whether a word is a pathspec that git expands, where revisions may stand too (`:file`, `HEAD:file`)."""
    return is_known(word) and (word[:2] in MAGIC or not _WILD.isdisjoint(word))


def files_fitted(
    words: Iterable[str], folder: PathValue, filesystem: FileSystem, env: dict[str, str], files: tuple[str, ...]
) -> list[str]:
    """Return the real paths of the files that known pathspecs fit, hidden ones first; nothing of others.

    Raises:
        Undecided: nobody can say.
    """
    known = [word for word in words if is_known(word)]
    switches = _switched(env)
    if not known:
        return []
    try:
        found = _asked((*switches, "ls-files", "-z", "--full-name", *files, "--", *known), folder, filesystem)
    except Undecided:
        found = _compared([_Pathspec(word, switches) for word in known], folder, filesystem)
    return sorted(dict.fromkeys(found), key=lambda name: "/." not in name)


def _asked(question: tuple[str, ...], folder: PathValue, filesystem: FileSystem) -> list[str]:
    """Return the real paths of the files that git names. Raises Undecided where it cannot be asked of the folder."""
    repository = filesystem.repository()
    if not is_asked_of(repository, folder, filesystem):
        raise Undecided("the folder belongs to another repository")
    output = repository.ask("-C", folder.real, *question)
    names = output.decode("utf-8", "surrogateescape").split("\0")[:-1]
    return [f"{repository.root.rstrip('/')}/{name.rstrip('/')}" for name in names]


def is_asked_of(repository: Repository, folder: PathValue, filesystem: FileSystem) -> bool:
    """Return whether git works in this repository where it runs in a folder. Raises Undecided if nobody knows."""
    return under(folder.real, repository.root) and not is_nested(repository, folder, filesystem)


def _switched(env: dict[str, str]) -> tuple[str, ...]:
    """Return the options for all pathspecs that the variables stand for, of values that are not known the widest."""
    given = {option: env.get(name, "").lower() for option, name in SWITCHES.items()}
    return tuple(
        option
        for option, value in given.items()
        if value not in _OFF and (is_known(value) or option == "--icase-pathspecs")
    )


class _Pathspec:
    """A pathspec: the `text` without its magic, what that `magic` is, and whether it `fits_others` than that name."""

    __slots__ = ("text", "magic", "fits_others")

    def __init__(self, word: str, switches: tuple[str, ...]) -> None:
        self.text, self.magic = word, frozenset[str]()
        self.fits_others = False
        if "--literal-pathspecs" in switches:
            self.magic |= {"literal"}
        if "--literal-pathspecs" in switches or not is_known(word):
            return
        if word[:1] == ":":
            self.text, self.magic = _without_magic(word)
        if "--icase-pathspecs" in switches:
            self.magic |= {"icase"}
        self.fits_others = word[:1] == ":" or bool(self.magic) or not _WILD.isdisjoint(word)

    def files(self, folder: PathValue, filesystem: FileSystem) -> Iterator[str]:
        """Yield the real paths of the files that it fits, too many where `attr` or `glob` says more."""
        start = repository_around(filesystem, folder.real)[1] if "top" in self.magic else folder.real
        parts = self.text.split("/")
        plain = next((place for place, part in enumerate(parts) if not _WILD.isdisjoint(part)), len(parts) - 1)
        if "icase" in self.magic:
            plain = next((place for place, part in enumerate(parts) if part != ".."), 0)
        base = filesystem.resolve("/".join(parts[:plain]) or ".", start or folder.real)
        rest = "/".join(parts[plain:])
        if filesystem.look(base) is ABSENT:
            return
        for real in filesystem.files_below(base):
            name = real[len(base.real.rstrip("/")) + 1 :]
            if "/.git/" not in f"/{name}" and self._fits(name, rest):
                yield real

    def _fits(self, name: str, text: str) -> bool:
        from fnmatch import fnmatchcase

        if "icase" in self.magic:
            name, text = name.lower(), text.lower()
        place = text.replace("\\", "").rstrip("/")
        if place in ("", ".", name) or name.startswith(f"{place}/"):
            return True
        return "literal" not in self.magic and fnmatchcase(name, text.replace("**/", "*").replace("\\", ""))


def _compared(specs: list[_Pathspec], folder: PathValue, filesystem: FileSystem) -> list[str]:
    """Return the files that are there and fit, but for those that another pathspec surely leaves out."""
    taken = [one for one in specs if "exclude" not in one.magic] or [_Pathspec(".", ())]
    left_out = [one for one in specs if "exclude" in one.magic and one.magic <= _EXACT and "[" not in one.text]
    without = {real for one in left_out for real in one.files(folder, filesystem)}
    return [real for one in taken for real in one.files(folder, filesystem) if real not in without]


def _without_magic(word: str) -> tuple[str, frozenset[str]]:
    """Return a pathspec that begins with `:` without its magic, and the names of that."""
    if word[1:2] == "(":
        names, _, text = word[2:].partition(")")
        return text, frozenset(names.split(","))
    text = word[1:].lstrip("".join(_SHORT))
    magic = frozenset(_SHORT[char] for char in word[1 : len(word) - len(text)])
    return text.removeprefix(":"), magic

"""`git log` and its kin show history and contents; `--output` writes a file, `--no-index` reads any.

`git show HEAD:.env` reads what the commit has under that name, `git diff .env` what changed in it.
"""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_known
from policy_engine.programs.base import Arguments, EffectAnalysis
from policy_engine.programs.git_pathspecs import MAGIC, TRACKED, fitted

_SHOW = ("git-show", "git-diff", "git-blame", "git-annotate", "git-grep", "git-cat-file")
_TEXTS = ("-S", "-G", "-n", "-U", "--author", "--grep", "--since", "--until", "--after", "--before")  # with a value
_OF_GREP = ("-e", "-f", "-A", "-B", "-C", "-m", "--max-depth", "--max-count", "--threads")
_NAMES_ONLY = frozenset(("-l", "-c", "-L", "--name-only", "--files-with-matches", "--count"))
_PATCHES = ("-p", "-u", "--patch", "-c", "--cc", "-L", "--full-diff")


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    paths: list[PathValue] = []
    words = arguments.operands
    options = words[: words.index("--")] if "--" in words else words
    for place, word in enumerate(options):
        if word.startswith("--outpu"):
            value = word.partition("=")[2] if "=" in word else "".join(words[place + 1 : place + 2])
            paths.append(analysis.path(value, "write"))
        elif analysis.name == "git-grep" and (word[:2] == "-f" or word == "--file" or word.startswith("--file=")):
            follows = "".join(words[place + 1 : place + 2])
            value = word.partition("=")[2] if "=" in word else word[2:] if word[:2] == "-f" and word[2:] else follows
            paths.append(analysis.path(value, "read"))
        elif word in ("--ext-diff", "--textconv", "--filters"):
            analysis.does("executes")
        elif word.startswith(("-O", "--open-files-in-pager")) and analysis.name == "git-grep":
            analysis.shell(word[2:] if word[1] == "O" else word.partition("=")[2])
    plain = any(word in ("--stat", "--name-only", "--name-status", "--numstat", "--shortstat") for word in options)
    plain = plain or (analysis.name == "git-cat-file" and not {"-t", "-s", "-e"}.isdisjoint(options))
    shows = analysis.name in _SHOW or any(word.startswith(_PATCHES) for word in options)
    named = _pathspecs(words, len(options), analysis)
    if "--no-index" in options or ("--no-exclude-standard" in options and "--untracked" in options):
        if analysis.name != "git-grep":
            return paths + _whole([analysis.path(word, "read") for word in words if word[:1] != "-"], analysis)
        return paths + _whole(fitted(named or ["."], "read", analysis), analysis)
    if shows and not plain:
        shown = fitted(named, "read", analysis, TRACKED)
        paths += shown
        if analysis.name == "git-grep" and not _NAMES_ONLY.intersection(options):
            paths += [file for path in shown for file in analysis.first_below(path)]
    return paths


def _pathspecs(words: list[str], cut: int, analysis: EffectAnalysis) -> list[str]:
    """Return the words, of which the first `cut` are options and revisions (`HEAD:FILE`) too, that name files."""
    greps = analysis.name == "git-grep"
    apart = _OF_GREP if greps else (*_TEXTS, "-L") if analysis.name in ("git-blame", "git-annotate") else _TEXTS
    names = [
        word if place >= cut or word[:2] in MAGIC else "" if is_revision(word) else word.rpartition(":")[2]
        for place, (before, word) in enumerate(zip(("", *words), words, strict=False))
        if (before not in apart or place > cut) and word[:1] != "-"
    ]
    return list(filter(None, names[1:] if greps and "-e" not in words else names))


def _whole(paths: list[PathValue], analysis: EffectAnalysis) -> list[PathValue]:
    """Return the paths, folders with all that lies below."""
    return [path.with_access("read", analysis.is_folder(path)) for path in paths]


def is_revision(name: str) -> bool:
    """Return whether a word of which a part is unknown stands where revisions do: files are named, or follow `--`.

    It is wholly unknown, an ancestor of that (`$SHA~1`, `$SHA^`), or a range (`$BASE..HEAD`).
    """
    if is_known(name):
        return False
    first, dots, last = name.partition("..")
    whole = len(first.rstrip("0123456789~^")) == 2
    return first[-1:] != "/" and last[:1] != "/" if dots else whole

"""`git log` and its kin show history and contents; `--output` writes a file, `--no-index` reads any.

`git show HEAD:.env` reads what the commit has under that name, `git diff .env` what changed in it.
"""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, EffectAnalysis

_SHOW = ("git-show", "git-diff", "git-blame", "git-annotate", "git-grep", "git-cat-file")
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
    shows = analysis.name in _SHOW or any(word.startswith(_PATCHES) for word in options)
    if "--no-index" in options or ("--no-exclude-standard" in options and "--untracked" in options):
        names = [word for word in words if word[:1] != "-"]
        if analysis.name == "git-grep":
            names = (names if "-e" in words else names[1:]) or ["."]
        named = [analysis.path(name, "read") for name in names]
        return paths + [path.with_access("read", analysis.is_folder(path)) for path in named]
    if shows and not plain:
        names = [word.rpartition(":")[2] for word in words if word[:1] != "-"]
        names = names[1:] if analysis.name == "git-grep" and "-e" not in words else names
        paths += [analysis.path(name, "read") for name in names if name and not _is_revision(name)]
    return paths


def _is_revision(name: str) -> bool:
    """Return whether a word that is wholly unknown stands where revisions do: files are named, or follow `--`."""
    return len(name) == 2 and name[0] == "\0"

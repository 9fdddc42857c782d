"""Say that a file which sets up a run of tests says something else of it than the commit of the session's start.

Tools that start other programs take scripts, variables, mounts and entry points from files of the repository: a script
`pytest` of `pyproject.toml` is what `pdm run pytest` runs. Only what came with the session counts, and of that only
lines that can change what is run: dependencies, services beside it and plain variables cost nothing. Not on the hook
path: it is imported when a run of tests passed behind such a tool.
"""

from __future__ import annotations

import re
from fnmatch import fnmatchcase

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.undecided import Undecided
from policy_engine.test_runs.run_variables import CHANGING, CHANGING_STARTS, OPTION_VARIABLES
from policy_engine.test_runs.task_files import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.filesystem.repository import Repository
    from policy_engine.test_runs.classify import Run

    Row = tuple[str, str, str]
    """Names of files, the sections of them that matter, and the lines there that do; "" is any."""

_VARIABLES = r"\bPATH|PYTEST|PYTHON(?!UNBUFFERED|DONT)|NODE_|\bLD_|BASH_ENV|\balias\b"
_OTHERS = "|".join(rf"\b{name}\s*=" for name in (*CHANGING, *OPTION_VARIABLES)) + "|" + "|".join(CHANGING_STARTS)
_CONTAINERS: tuple[Row, ...] = (
    ("compose*.y*ml docker-compose*.y*ml", "SERVICE",
     rf"entrypoint|command\s*:|image\s*:|build|context|dockerfile|working_dir|extends|include|<<|tmpfs|env_file"
     rf"|^\s*-\s*[\"']?[.~/$][^:]*:/|\bsource\s*:|configs|{_VARIABLES}"),
    ("Dockerfile* Containerfile* *.Dockerfile", "",
     rf"^\s*(?:ENTRYPOINT|SHELL|ONBUILD)\b|/s?bin/|site-packages|>\s*\S|\bpytest\b[^&|]*[<>]"
     rf"|^\s*(?:COPY|ADD)\s.*\b(?:build|dist|tmp|old)/|{_VARIABLES}"),
)  # fmt: skip
_ROWS: dict[str, tuple[Row, ...]] = {
    "docker": _CONTAINERS, "docker-compose": _CONTAINERS, "podman": _CONTAINERS, "podman-compose": _CONTAINERS,
    "hatch": (
        ("pyproject.toml hatch.toml", r"(?:tool\.hatch\.)?envs\..*\.(?:scripts|env-vars|overrides)", ""),
        ("pyproject.toml hatch.toml", r"(?:tool\.hatch\.)?envs(?:\..*)?", r"scripts|env-vars|^\s*(?:type|path)\b"),
    ),
    "poe": (("pyproject.toml", r"tool\.poe\b.*", ""), ("poe_tasks.*", "", "")),
    "pdm": (("pyproject.toml", r"tool\.pdm\.(?:scripts|options)\b.*", ""), ("pdm.toml", "", "")),
    "rye": (("pyproject.toml", r"tool\.rye\.scripts\b.*", ""),),
    "pixi": (
        ("pyproject.toml pixi.toml", r"(?:tool\.pixi\.)?(?:.*\.)?(?:tasks|activation)\b.*", ""),
        ("pyproject.toml pixi.toml", r"(?:tool\.pixi)?", r"tasks|activation"),
    ),
    "pipenv": (("Pipfile", r"scripts\b.*", ""),),
    "task": (("pyproject.toml", r"tool\.taskipy\b.*", ""),),
    "mise": (("mise*.toml .mise*.toml", r"(?:env|tasks|hooks|alias|settings)\b.*", ""),),
    "direnv": ((".envrc", "", rf"{_VARIABLES}|{_OTHERS}|[()`]|\b(?:source|eval|use|layout|load)"),),
    "devbox": (("devbox.json", "", rf"hook|scripts|[$;&|()]|{_VARIABLES}"),),
    **dict.fromkeys(
        ("nix", "nix-shell"),
        (("*.nix", "", rf"shellHook|write(?:Shell|Script|Text)\w*|runCommand|symlinkJoin|overlay|{_VARIABLES}"),),
    ),
}  # fmt: skip
"""By starter, what decides which program a word behind it is, and what surrounds that program."""
_HEADER = re.compile(r"\s*\[{1,2}\s*([^\]#]+?)\s*\]{1,2}\s*(?:#.*)?$")
_KEY = re.compile(r"( *)([\w.-]+):\s*(?:&\S+\s*)?(?:#.*)?$")


def changed_setup(run: Run, commit: str, wrote: Callable[[str], bool], filesystem: FileSystem) -> str:
    """Return which line that came or went in the session may change what stands behind the starters of a run."""
    try:
        repository, root = filesystem.repository(), filesystem.real_workspace.rstrip("/")
        for starter, folder in run.started:
            words = starter.split()
            for pattern, sections, lines in _ROWS.get(words[0].rpartition("/")[2], ()):
                sections = rf"services\.{re.escape(words[-1])}|include|x-.*" if sections == "SERVICE" else sections
                for real in _files(pattern.split(), dict.fromkeys((folder, root)), filesystem):
                    if wrote(real) and (line := _other_line(real, commit, (sections, lines), repository, filesystem)):
                        name = real.rpartition("/")[2]
                        return f"this session changed `{name}`, which says what `{words[0]}` runs (`{line[:80]}`)"
    except Undecided:
        pass
    return ""


def _files(patterns: list[str], folders: dict[str, None], filesystem: FileSystem) -> Iterator[str]:
    for folder in folders:
        for name in filesystem.names(PathValue(folder, folder)):
            if any(fnmatchcase(name, pattern) for pattern in patterns):
                yield f"{folder}/{name}"


def _other_line(real: str, commit: str, asked: tuple[str, str], repository: Repository, filesystem: FileSystem) -> str:
    below = real.removeprefix(repository.root.rstrip("/") + "/")
    before = repository.ask("show", f"{commit}:{below}", failing=True).decode("utf-8", "replace")
    sections, lines = re.compile(asked[0] or ".*"), re.compile(asked[1])
    then, now = (
        dict.fromkeys(
            (section, line.strip()) for section, line in _lines(text)
            if sections.fullmatch(section) and lines.search(line)
        )
        for text in (before, text_of(real, filesystem))
    )  # fmt: skip
    return next((pair[1] for pair in now | then if pair not in now or pair not in then), "")


def _lines(text: str) -> Iterator[tuple[str, str]]:
    """Yield the lines that are no comments, with the section of TOML, or the keys of YAML, in which they stand."""
    section, keys = "", [(-1, "")]
    for line in text.splitlines():
        bare = line.lstrip()
        if not bare or bare[0] == "#":
            continue
        if header := _HEADER.match(line):
            section = header[1].replace('"', "").replace("'", "").replace(" ", "")
        elif key := _KEY.match(line):
            keys = [*(one for one in keys if one[0] < len(key[1])), (len(key[1]), key[2])]
            section = ".".join(name for _, name in keys[1:3])
        elif len(line) - len(bare) <= keys[1][0] if len(keys) > 1 else False:
            section = bare.partition(":")[0]
        yield section, line

"""programs.toml → policy_engine/programs/_rows.py: `python -m tools.programs` writes it again.

The hook starts at every tool call and reads no TOML: it imports the same table as a module.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

LISTS = (
    "aliases",
    "before_verb",
    "builds",
    "carries",
    "hosts",
    "listens",
    "loads",
    "package_addresses",
    "package_files",
    "package_registries",
    "sources",
    "spellings",
    "takes_code",
    "tasks",
    "tests",
    "verbs",
    "waits",
    "waits_in_code",
)
PRINTING = ("prints", "prints_alone")
FOLDER = Path(__file__).resolve().parents[1] / "policy_engine" / "programs"
HEAD = '''"""The table of programs.toml as the hook reads it; written by `make programs`, changed there."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

'''


def table() -> dict[str, dict[str, Any]]:
    """The rows as they are written."""
    rows = tomllib.loads((FOLDER / "programs.toml").read_text("utf-8"))
    for lists in LISTS + PRINTING:
        del rows[lists]
    return rows


def listed(key: str) -> dict[str, str]:
    """One of the tables that are no program's row, by program."""
    found: dict[str, str] = tomllib.loads((FOLDER / "programs.toml").read_text("utf-8"))[key]
    return {name: " ".join(text.split()) for names, text in found.items() for name in names.split()}


def printing() -> dict[str, list[tuple[str, str, str]]]:
    """Return what the calls print that begin alike: the kind, options of which one is needed, and further ones."""
    rows: dict[str, str] = tomllib.loads((FOLDER / "programs.toml").read_text("utf-8"))["prints"]
    lists = {name: text.split() for name, text in rows.items() if name.isupper()}

    def form(text: str) -> tuple[str, str, str]:
        kind, needed, further = (
            " ".join(more for word in part.split() for more in lists.get(word, [word])) for part in text.split("|")
        )
        return kind, needed, further

    return {call: [form(one) for one in text.split(" ; ")] for call, text in rows.items() if call not in lists}


def module() -> str:
    """The text of _rows.py."""
    rows = {key: {trait: value for trait, value in row.items() if trait != "about"} for key, row in table().items()}
    body = "".join(f"    {key!r}: {row!r},\n" for key, row in rows.items())
    names = {key: key for key in rows} | {
        name: key for key, row in rows.items() for name in row.get("names", "").split()
    }
    kin = "".join(f"    {name!r}: {key!r},\n" for name, key in sorted(names.items()) if name != key)
    aliases, options, builds, loads, sources, spellings, tasks, tests, verbs, waits, codes = (
        "".join(f"    {name!r}: {text!r},\n" for name, text in sorted(listed(key).items()))
        for key in LISTS
        if key not in ("carries", "hosts", "listens", "takes_code") and not key.startswith("package_")
    )
    calls = "".join(f"    {call!r}: {forms!r},\n" for call, forms in printing().items())
    whole = tomllib.loads((FOLDER / "programs.toml").read_text("utf-8"))["prints_alone"]
    alone = {" ".join(call.split()): kind for kind, text in whole.items() for call in text.split(",")}
    return (
        f"{HEAD}# fmt: off\n# ruff: noqa\nROWS: dict[str, dict[str, Any]] = {{\n{body}}}\n"
        f'"""Program → its traits."""\nMODEL_OF = {{\n{kin}}}\n"""Another name → the program whose row it shares."""\n'
        f'ALIASES = {{\n{aliases}}}\n"""Program → verbs, each with other words for it."""\n'
        f'BEFORE_VERB = {{\n{options}}}\n"""Program → options that may stand before its verb."""\n'
        f'BUILDS = {{\n{builds}}}\n"""Build tool → with which verbs it reads which files that hold commands."""\n'
        f'CARRIES = {listed("carries")!r}\n"""Client → how it starts a command on a machine of others."""\n'
        f'HOSTS = {listed("hosts")!r}\n"""Program, or verb of git → which words name the machines that it reaches."""\n'
        f'LISTENS = {listed("listens")!r}\n"""Server → by which verbs and options all machines reach it."""\n'
        f'LOADS = {{\n{loads}}}\n"""Program → the files that it loads as code when it starts."""\n'
        f'PACKAGE_ADDRESSES = {listed("package_addresses")!r}\n"""File → what addresses of packages stand behind."""\n'
        f'PACKAGE_FILES = {listed("package_files")!r}\n"""Program → with which verbs it installs what files name."""\n'
        f'PACKAGE_REGISTRIES = {listed("package_registries")!r}\n"""Places of packages, by kind."""\n'
        f'PRINTS = {{\n{calls}}}\n"""First words of a call → kinds of what it prints, with the options for each."""\n'
        f'PRINTS_ALONE = {alone!r}\n"""Whole call → the kind of what it prints."""\n'
        f'SOURCES = {{\n{sources}}}\n"""Program → with which verbs it runs files of which names below its folder."""\n'
        f'SPELLINGS = {{\n{spellings}}}\n"""Program → the ways to start it."""\n'
        f'TAKES_CODE = {listed("takes_code")!r}\n"""Program → by which words it takes code from an address."""\n'
        f'TASKS = {{\n{tasks}}}\n"""Program → which tasks of which files it starts."""\n'
        f'TESTS = {{\n{tests}}}\n"""Test runner → the names of what it takes for a test by itself."""\n'
        f'VERBS = {{\n{verbs}}}\n"""What they do → verbs of clients of services."""\n'
        f'WAITS = {{\n{waits}}}\n"""Program → when it waits for what a person types."""\n'
        f'WAITS_IN_CODE = {{\n{codes}}}\n"""Interpreter → words of code that waits for what a person types."""\n'
    )


def main() -> None:
    """Write the module."""
    (FOLDER / "_rows.py").write_text(module(), "utf-8")


if __name__ == "__main__":
    main()

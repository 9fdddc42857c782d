"""Judge whether an assignment before a command can change what its run of tests says. Imported by the hook path."""

from __future__ import annotations

from policy_engine.model.partial import is_known
from policy_engine.test_runs.build_properties import why_chosen_by
from policy_engine.test_runs.run_variables import CHANGING, CHANGING_ENDS, CHANGING_STARTS, OPTION_VARIABLES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from policy_engine.test_runs.classify import Place

_SYSTEM = ("/usr/", "/bin", "/sbin", "/opt/", "/nix/", "/snap/", "/home/linuxbrew/", "/Library/Java/")
_TOOL_FOLDERS = ("JAVA_HOME", "GOROOT")
_READS_ENVIRONMENT = frozenset(("dotenv", "dotenvx", "env-cmd", "pipenv", "honcho", "foreman"))
_FILE_OPTIONS = ("-f", "--file", "-e", "--env")
_WRITES = ("UPDATE", "OVERWRITE", "RECORD", "REGEN", "REGENERATE", "ACCEPT", "BLESS", "REFRESH", "REBASELINE", "FORCE")
_COMPARED = ("SNAP", "EXPECT", "GOLD", "BASELINE", "INSTA", "CASSETTE", "APPROV", "TRYBUILD", "FIXTURE")
_HARMLESS = ("", "0", "false", "no", "off", "none", "never", "auto", "new", "verify", "wip")
_WRITING = ("overwrite", "always", "update", "bless", "record", "all")
_HOMES = {
    "HOME": (".npmrc", ".yarnrc", ".yarnrc.yml", ".bunfig.toml", ".rspec", ".irbrc", ".bundle", ".cargo", ".m2",
             ".gradle", ".config", ".mavenrc", ".pythonrc", ".pydistutils.cfg", ".local/lib", ".bashrc", ".profile",
             ".zshenv"),
    "XDG_CONFIG_HOME": ("rspec", "npm", "yarn", "pip", "bundle", "git", "nushell", "fish"),
}  # fmt: skip
"""Variables that lead programs to settings, with what of these a folder may hold that a session has made."""
_NO_GO_FILE = ("", "off", "/dev/null")
_CASES = ("PROPTEST_CASES", "QUICKCHECK_TESTS", "QUICKCHECK_MIN_TESTS_PASSED")
_OPTIONS = {
    "python": (("-Xpycache_prefix",), "`-X pycache_prefix` takes compiled code from elsewhere"),
    "php": (("-dauto_prepend_file", "-dauto_append_file", "-dinclude_path", "-dopcache.preload", "-dffi.preload"),
            "`-d` lets it load a file before the tests"),
}  # fmt: skip
"""By interpreter, the beginnings of options that matter, and why."""
_ENVIRONMENT_BINS = (".venv/bin", "venv/bin", "env/bin", "node_modules/.bin", "vendor/bin", ".venv/Scripts")


def harmful_assignment(item: str, place: Place) -> str:
    """Return why an assignment keeps the run from proving anything, "" if it does not."""
    name, _, value = item.partition("=")
    shown = f"`{name}=…`"
    if name == "PATH":
        return "" if _plain_path(value, place) else f"{shown} may put another program under the name"
    if name in _HOMES:
        found = is_known(value) and any(place.kind(f"{value}/{one}") for one in _HOMES[name])
        return f"{shown} leads it to other settings than your own" if found else ""
    if name == "GOENV":
        return _why_go_file(value, place)
    if name in OPTION_VARIABLES:
        kept = tuple(OPTION_VARIABLES[name].split())
        words = value.split()
        fine = is_known(value) and all(not word or (kept and word.startswith(kept)) for word in words)
        return "" if fine else f"{shown} changes what it runs"
    if (
        name in _TOOL_FOLDERS
        and is_known(value)
        and ((".." not in value and value.startswith(_SYSTEM)) or is_personal(value, place))
    ):
        return ""
    if name.startswith("npm_config_") and name.endswith(("_loglevel", "_cache", "_progress", "_registry", "_yes")):
        return ""
    if name in CHANGING or name.startswith(CHANGING_STARTS) or name.endswith(CHANGING_ENDS):
        return "" if value == "" and name not in ("PATH",) else f"{shown} changes what it runs"
    if name in _CASES and value.isdigit() and not int(value):
        return f"{shown} lets tests try no case"
    if why := why_chosen_by(name, value):
        return why
    if _renews(name, value):
        return f"with {shown} it writes anew what tests compare with, so that they pass whatever the source does"
    return ""


def _why_go_file(value: str, place: Place) -> str:
    """Return why the file from which Go takes its settings keeps a run from proving anything, "" if it does not."""
    from policy_engine.test_runs.task_files import lies_at, text_of

    if value in _NO_GO_FILE:
        return ""
    real = place.at(value)
    if real is None or not lies_at(real, place.filesystem):
        return "`GOENV=…` names a file of settings that nobody can read"
    found = next((why for _, why in set_by_go(text_of(real, place.filesystem), place)), "")
    return f"in the file that `GOENV=…` names, {found}" if found else ""


def set_by_go(text: str, place: Place) -> Iterator[tuple[str, str]]:
    """Yield the lines of a file of settings of Go that keep a run from proving anything, each with why.

    Go takes all behind the sign as it stands, blanks and quotes too, and no other file of this sort.
    """
    for line in map(str.strip, text.split("\n")):
        if "A" <= line[:1] <= "Z" and "=" in line and line[:6] != "GOENV=" and (why := harmful_assignment(line, place)):
            yield line, why


def _renews(name: str, value: str) -> bool:
    """Return whether a variable makes tests write their snapshots, or other files with what they expect."""
    parts = name.upper().split("_")
    compared = any(part.startswith(_COMPARED) for part in parts)
    if "BLESS" in parts or (compared and any(part in _WRITES for part in parts)):
        return value.lower() not in _HARMLESS and not (value.isdigit() and value != "1")
    return compared and value.lower() in _WRITING


def harmful_option(interpreter: str, text: str) -> str:
    """Return why an option of an interpreter, with the word behind it, keeps the run from proving anything."""
    starts, why = _OPTIONS.get(interpreter, ((), ""))
    return why if text.startswith(starts) else ""


def environment_files(starter: str) -> Iterator[str]:
    """Yield the files from which what starts a run, as written, takes variables."""
    words = starter.split()
    name = words[0].rpartition("/")[2] if words else ""
    options = ("--env-file", *(_FILE_OPTIONS if name in _READS_ENVIRONMENT else ()))
    result = []
    for place, word in enumerate(words):
        option, sign, value = word.partition("=")
        if option in options:
            result.append(value if sign else "".join(words[place + 1 : place + 2]))
    yield from result
    if name in _READS_ENVIRONMENT and not result:
        yield ".env"


def _plain_path(value: str, place: Place) -> bool:
    """Return whether a search path only adds folders of the system, of the person's tools and of the environment
    here.
    """
    for part in value.split(":"):
        if not is_known(part) and not part.strip("\0?@*"):
            continue  # what it was before
        if not is_known(part) or not part:
            return False
        if part.startswith(_SYSTEM) or is_personal(part, place):
            continue
        relative = place.relative(part)
        if relative is None or not relative.endswith(_ENVIRONMENT_BINS):
            return False
    return True


def is_personal(folder: str, place: Place) -> bool:
    """Return whether a folder is one of those below the home folder into which tools are installed."""
    home = place.filesystem.home
    if not home or ".." in folder.split("/") or not folder.startswith(home.rstrip("/") + "/"):
        return False
    below = folder[len(home.rstrip("/")) + 1 :]
    return below.startswith(
        (".local/", ".cargo/", "go/bin", ".bun/", ".deno/", ".nvm/", ".pyenv/", ".volta/", ".asdf/", ".rbenv/", ".npm",
         ".pub-cache", ".dotnet", ".sdkman/", ".rye/", ".pixi/", "miniconda", "anaconda", "mambaforge", "miniforge",
         ".nix-profile", ".virtualenvs/", ".fnm", ".rustup", "flutter/", "development/flutter", ".yarn", "Library/")
    )  # fmt: skip

"""Tell that a call changes a database of others: what it holds is migrated or filled, and the call names production.

Assignments, options, names of files and of variables say which database it is (`RAILS_ENV=production`,
`--settings=x.prod`, `-c alembic.prod.ini`, `$PROD_URL`), or its address does. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.addresses import parse_address
from policy_engine.model.partial import is_known
from policy_engine.programs._rows import CARRIES, VERBS
from policy_engine.programs.actions import CHANGES, HERE, LOCAL_PREFIXES
from policy_engine.programs.base import INTERPRETERS, find_program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.inline.effect_analysis import EffectAnalysis
    from policy_engine.shell.command import SimpleCommand

_SETS = {
    kind: frozenset(VERBS[kind].split())
    for kind in ("databases", "migrators", "migrates", "plans", "live", "restorers")
}
_TRIALS = frozenset("--help --version --plan --check --dry-run --dryrun --sql --pretend --list".split())
_FILES = ("sqlite", "file:", "duckdb")  # beginnings of the addresses of databases that are files
_CARRY = frozenset(("ssh", "kubectl", "oc", *CARRIES))
_CLIENTS = ("psql", "mysql", "sqlcmd", "mongosh")
_SCRIPTS = frozenset(("-f", "--file"))
_HOSTS = ("-h", "--host", "--uri")
_LISTS = frozenset(("-l", "--list", "--dryRun"))
_JOINTS = {ord(mark): " " for mark in "=,:/._-@$\"'{}()\\?&"}
_MARKS = {ord(mark): " " for mark in ":.-"}
_MOST = ("migrate", "loaddata")  # verbs of databases alone, or their beginnings


def judge_migration(command: SimpleCommand, analysis: EffectAnalysis) -> None:
    """Tell that it deploys, if it migrates a database that is named as one of production, or of another machine."""
    if "deploys" in analysis.words and _is_local(command) and not _is_live((command.text,)) and _migrates(command):
        del analysis.words["deploys"]  # of the database that the line names
    runs = analysis.opaque or bool(analysis.runs) or not {"executes", "network"}.isdisjoint(analysis.words)
    if not runs or "deploys" in analysis.words or not _TRIALS.isdisjoint(command.argv):
        return
    words = command.text.split()
    places = (_but_files(words), *(item.partition("=")[2] for item in command.env))
    away = _is_live(places) or any(map(_is_away, words)) or _is_carried(command)
    if (away and _fills(command)) or ((away or _is_live((command.text,))) and _migrates(command)):
        analysis.opaque = False  # this much is known of it
        analysis.does("deploys")


def _but_files(words: list[str]) -> str:
    """The words without names of files, that are no values of options which name a machine."""
    pairs = zip(("", *words), words, strict=False)
    marks = ("$", "://", "host=")
    return " ".join(
        word
        for before, word in pairs
        if not {"/", "."}.intersection(word) or before in _HOSTS or any(mark in word for mark in marks)
    )


def _is_live(texts: tuple[str, ...]) -> bool:
    return any(not _SETS["live"].isdisjoint(text.lower().translate(_JOINTS).split()) for text in texts)


def _is_away(word: str) -> bool:
    """Return whether a word holds the address of a database on another machine; a name without a dot is of this
    network.
    """
    start = word.rpartition("://")[0].rpartition("=")[2].strip("'\"").rpartition(":")[2]
    if not start or start.startswith(("http", *_FILES)) or word.rpartition("://")[2][:1] == "/":
        return False
    address = parse_address(f"{start}://{word.rpartition('://')[2]}")
    return address.kind in ("public", "private") and "." in address.host and is_known(word)


def _is_local(command: SimpleCommand) -> bool:
    """Return whether the variable of the line that names the database says that it is a file, or on this machine."""
    urls = [item.partition("=")[2] for item in command.env if item.startswith("DATABASE_URL=")]
    return (
        len(urls) == 1
        and is_known(urls[0])
        and (urls[0].startswith(_FILES) or parse_address(urls[0]).kind == "loopback")
    )


def _is_carried(command: SimpleCommand) -> bool:
    """Return whether it is started on another machine, or in a cluster, by a command of its line."""
    if any(via == "railway run" for via in command.via):
        return True  # here, with the variables of what runs there
    starters = _CARRY.intersection(via.partition(" ")[0] for via in command.via)
    outer = [one for one in command.line if one.name in starters] if starters else []
    return bool(starters) and not any(_is_here(word) for one in outer for word in one.argv[1:4])


def _is_here(word: str) -> bool:
    host = word.rpartition("=")[2].rpartition("@")[2]
    return (host in HERE and host != "default") or host.startswith(LOCAL_PREFIXES[3:])


def _fills(command: SimpleCommand) -> bool:
    """Return whether it puts into a database what it was saved to, or gives one statements that change it."""
    if command.name in _SETS["restorers"]:
        return _LISTS.isdisjoint(command.argv)
    program = find_program(command.name)
    if program is None or program.name not in _CLIENTS:
        return False
    given = [option.partition("=")[0] for option in command.argv]
    first = [word.lower().partition(" ")[0] for word in command.argv[1:] if " " in word]
    loads = any(word.lower().lstrip().startswith("\\copy") and " from " in word.lower() for word in command.argv[1:])
    return loads or command.fed or not _SCRIPTS.isdisjoint(given) or not CHANGES.isdisjoint(first)


def _migrates(command: SimpleCommand) -> bool:
    """Return whether its words say that a database is changed: `db:migrate`, `migration run`, or a verb of a tool that
    does nothing else.
    """
    words = [command.name, *command.argv[1:]]
    script = command.name in INTERPRETERS  # whose first operand is the name of a program
    before, tool = frozenset[str](), False
    for place, word in enumerate(words):
        if word[:1] == "-" or not is_known(word) or "=" in word or " " in word:
            continue
        path = place == 0 or (script and place == 1)
        if "/" in word and not path:
            before = frozenset()
            continue
        named = word.rpartition("/")[2].replace("_", "-") if "/" in word else word
        parts = named.lower().translate(_MARKS).split()
        behind = words[place + 1].lower().translate(_MARKS).split()[:1] if words[place + 1 :] else []
        for nth, part in enumerate(parts):
            follows = parts[nth + 1 : nth + 2] or behind
            if part in _SETS["migrates"] and (part.startswith(_MOST) or tool or before & _SETS["databases"]):
                return _SETS["plans"].isdisjoint(follows)
            before = before | {part} if nth else frozenset([part])
        tool = tool or word in _SETS["migrators"]
    return False

"""Perform the effects that a row of programs.toml lists for a call. Imported by the hook path.

An action is one table of the row. It says what is done, with which words, and when:

- `does`, `may` with `why`: effects, surely or perhaps;
- `read`, `write`, `delete`, `unpacks` (into these folders), `run`, `shell`, `formats`, `mention`: words that are files,
  lines, devices. They are
  `operands`, `first`, `rest`, `last`, `init` (all but the last), `devices` (all below `/dev`), the values of options
  (`-o --output`) or of variables (`$GIT_TRACE`), or a path as it stands (`.`, `~/.gitconfig`);
  `default` stands where there are none, `deep` (true,
  or options) means all below them, `nofollow` a link itself; `code`: words that an interpreter runs; `script`: the
  words that begin with its script;
- `output`: a file that is written, or a line behind `|`; `sends`: files that are handed to others; `statements`: what a
  database is told, and behind `:` the files that hold it; `told`: what it is fed names files, in `quotes` or not
  (`words`); `adds`: packages of others, where operands name them and are
  no values of these options;
- `elsewhere`: options before the verb, or variables, of which one names another machine; `unless_here`: options of
  which all name this one; `unless_tests`: words that all name databases for tests, on this machine;
- `within`: environments (`test`) where it is not done, if the call names no other; `outside`: where alone it is not
  done, nor where none is named;
- `when`, `unless`: options of which one is given (`--location=project`: with this value), or none; `when_env`,
  `unless_env`: variables of which one is set before it, or none; `against` takes `when` back where it comes later;
  `verbs`, `unless_verbs`: first operands (with `anywhere`: any), several with commas between, `*` for any ending or
  beginning; `named`: the names that it must be called by; `count`, `most`: how many operands there are at least, and at
  most; `spread`: operands are cut at blanks before.
"""

from __future__ import annotations

from policy_engine.inline.code import analyse
from policy_engine.inline.effect_analysis import is_scratch
from policy_engine.model.partial import is_known, may_be_option
from policy_engine.model.undecided import Undecided
from policy_engine.programs._rows import VERBS
from policy_engine.programs.invocation import options_before_verb, verb_place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from policy_engine.filesystem.paths import PathValue
    from policy_engine.inline.effect_analysis import EffectAnalysis
    from policy_engine.programs.base import Arguments

_ACCESS = ("read", "write", "delete")


def perform(actions: list[dict[str, Any]], arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    """Tell the analysis each action whose conditions hold; return the paths."""
    paths: list[PathValue] = []
    for action in actions:
        operands = _applies(action, arguments, analysis)
        if operands is not None:
            paths += _act(action, operands, arguments, analysis)
    return paths


def _concerns(action: dict[str, Any], arguments: Arguments, analysis: EffectAnalysis) -> bool:
    """Return whether the action is done in the environments that the call names."""
    if "within" not in action and "outside" not in action:
        return True
    named = set(_environments(arguments, analysis))
    if _machine(_CONNECTIONS, arguments, analysis)[1]:
        return True
    if "within" in action:
        return not named or not named <= set(action["within"].split())
    return not named <= set(action["outside"].split())


def _act(
    action: dict[str, Any], operands: list[str], arguments: Arguments, analysis: EffectAnalysis
) -> list[PathValue]:
    """Carry out one action of a row."""
    paths: list[PathValue] = []
    for kind, value in action.items():
        if kind == "does":
            analysis.does(*value.split())
        elif kind == "may":
            for word in value.split():
                analysis.doubt(word, f"`{analysis.name[:80]}`: {action['why']}")
        elif kind in _ACCESS:
            deep = _deep(action, arguments)
            texts = [text for text in words(value, operands, arguments, analysis) if text != "-" or kind == "delete"]
            follow = not action.get("nofollow")
            texts = texts or [text for text in [action.get("default")] if text]
            paths += [analysis.path(text, kind, deep, follow) for text in texts]
        elif kind == "unpacks":
            texts = words(value, operands, arguments, analysis) or [action.get("default", ".")]
            for text in texts:
                paths += analysis.unpacks(analysis.name, text)
        elif kind == "unknown":
            paths.append(analysis.unknown(analysis.name, f"`{analysis.name[:80]}`: {action['why']}", value))
        elif kind == "run":
            paths += [analysis.run(text) for text in written(value, operands, arguments, analysis)]
        elif kind == "code":
            for text in written(value, operands, arguments, analysis):
                analyse(text, analysis)
        elif kind == "script":
            paths += analysis.script(words(value, operands, arguments, analysis))
        elif kind == "formats":
            paths += analysis.formats(words(value, operands, arguments, analysis))
        elif kind == "output":
            for text in words(value, operands, arguments, analysis):
                if text.lstrip()[:1] == "|":
                    analysis.shell(text.lstrip("| "))
                else:
                    paths.append(analysis.path(text, "write"))
        elif kind == "sends":
            given = [text for text in written(value, operands, arguments, analysis) if text != "/"]
            given += [text[1:] for text in given if text[:1] == "@"]  # as many write a file among texts
            sent = [analysis.path(text, "read", True) for text in given]
            analysis.send([path for path in sent if not path.known or analysis.filesystem.present(path)])
        elif kind == "statements":
            paths += _told(value, operands, arguments, analysis)
        elif kind == "told":
            analysis.told = value
        elif kind == "adds":
            _add_packages(value, operands, arguments, analysis)
        elif kind in ("shell", "mention"):
            for text in words(value, operands, arguments, analysis):
                if kind == "shell":
                    analysis.shell(text)
                else:
                    analysis.mention(text)
    return paths


def _told(targets: str, operands: list[str], arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    """Play the statements that words give a client, and files behind `:`; what it reads where they give none."""
    from policy_engine.programs.sql import (
        but_emptied_tables,
        empties_tests_only,
        files_handed_over,
        play_statements,
        statements_in,
    )

    given, _, files = targets.partition(":")
    statements = written(given.strip(), operands, arguments, analysis)
    in_file = not statements
    for text in written(files.strip(), operands, arguments, analysis):
        statements += statements_in(analysis.path(text, "read"), analysis)
    if not statements and analysis.feed is not None and is_known(analysis.feed):
        statements, in_file = analysis.feed.split("\n"), False
    if not any("://" in word or "host" in word for word in arguments.operands):
        if not _machine(_CONNECTIONS, arguments, analysis)[1]:
            statements = [text for text in statements if not empties_tests_only(text)]
    if is_elsewhere(arguments, analysis):
        analysis.send([analysis.path(file, "read") for text in statements for file in files_handed_over(text)])
        if any(
            CHANGES.intersection(text.lower().split()[:1]) or any(call in text for call in _METHODS)
            for text in statements
        ):
            analysis.does("deploys")
        elif not (statements or analysis.name in _AWAY or (targets == ":" and operands) or arguments.has(*_INFORMING)):
            analysis.doubt("deploys", f"what `{analysis.name[:80]}` is told to do is not known")
    stays = not any("\\c" in text or text.lower().split()[:1] == ["use"] for text in statements)
    if stays and _for_tests(_databases(operands, arguments, analysis), arguments, analysis):
        statements = [left for text in statements if (left := but_emptied_tables(text)).strip(" ;")]
    return play_statements(statements, analysis, in_file=in_file)


CHANGES = frozenset(
    "insert update delete merge replace alter create drop grant revoke truncate rename load copy call".split()
)
"""Words by which statements begin that change what a database holds."""
_INFORMING = ("-l", "--list", "--version", "--help", "-V", "-?")
_AWAY = frozenset(VERBS["databases_away"].split())
_METHODS = (
    *(f".{word}" for word in ("insert", "update", "delete", "replace", "remove(", "drop", "createCollection")),
    *("pg_terminate_backend(", "pg_cancel_backend("),
)
_HOSTS = ("host=", "hostaddr=")


def is_elsewhere(arguments: Arguments, analysis: EffectAnalysis) -> bool:
    """Return whether a client of a database names one of another machine; a name without a dot is of this network."""
    from policy_engine.model.addresses import leads_to

    given = [word for word in arguments.operands if is_known(word)]
    if analysis.name in _AWAY or not {"--remote", "--linked"}.isdisjoint(given):
        return True
    if any("://" in word and not leads_to(word, "loopback") for word in given):
        return True
    hosts = [part.partition("=")[2] for word in given for part in word.split() if part.startswith(_HOSTS)]
    hosts += _machine(f"{_CONNECTIONS} -S" if analysis.name == "sqlcmd" else _CONNECTIONS, arguments, analysis)[1]
    return any("." in host and host not in HERE for host in hosts) or any("service=" in word for word in given)


def _databases(operands: list[str], arguments: Arguments, analysis: EffectAnalysis) -> list[str]:
    """Return the databases that a client is connected to; for one of another machine its whole address."""
    given = [*arguments.values("-d", "--dbname", "-D", "--database"), analysis.env.get("PGDATABASE", ""), *operands[:1]]
    return [_database(word) for word in given if word]


def _database(word: str) -> str:
    """Return the database that an address of this machine names; another address, and a name, as they are."""
    from policy_engine.model.addresses import leads_to

    return word.rpartition("/")[2].partition("?")[0] if "://" in word and leads_to(word, "loopback") else word


_LOCAL = (".", "/", "~", "file:", "link:", "workspace:", "portal:")
_INSTALLERS = ("pip", "setuptools", "wheel", "npm")  # which only come in anew
_ARCHIVES = (".whl", ".tgz", ".tar.gz", ".zip", ".gem", ".nupkg", ".deb")


def _add_packages(options: str, operands: list[str], arguments: Arguments, analysis: EffectAnalysis) -> None:
    """Tell that packages come in which operands name: no values of options, no files and folders of this machine."""
    valued = frozenset(options.split())
    values = {
        after for before, after in zip(arguments.operands, arguments.operands[1:], strict=False) if before in valued
    }
    for word in operands:
        local = word.startswith(_LOCAL) or (word.endswith(_ARCHIVES) and "://" not in word)
        if word in values or word in _INSTALLERS or local:
            continue
        if not is_known(word):
            analysis.doubt("adds-packages", f"what `{analysis.name[:80]}` installs is not known")
        elif "/" not in word or not analysis.filesystem.present(analysis.path(word, "read")):
            analysis.does("adds-packages")


def words(target: str, operands: list[str], arguments: Arguments, analysis: EffectAnalysis) -> list[str]:
    """The words that a target means."""
    if target[:1] == "-":
        return option_values(target, arguments)
    if target[:1] == "$":
        values = [analysis.env.get(name.lstrip("$"), "") for name in target.split()]
        return [value for value in values if value.lower() not in _NO_FILES]
    if target == "devices":
        given = [*arguments.operands, *(value for _, value in arguments.options if value is not None)]
        values = [word.rpartition("=")[2] for word in given]
        return [word for word in values if word[:5] == "/dev/" or not is_known(word)]
    if target[:2] == "~/":
        return [f"{analysis.filesystem.home}{target[1:]}"]
    slices = {"operands": (0, None), "first": (0, 1), "rest": (1, None), "last": (-1, None), "init": (0, -1)}
    if target not in slices:
        return [target]
    start, end = slices[target]
    return operands[start:end]


def option_values(names: str, arguments: Arguments) -> list[str]:
    """The values of options, as they were parsed."""
    return arguments.values(*names.split())


def written(target: str, operands: list[str], arguments: Arguments, analysis: EffectAnalysis) -> list[str]:
    """The words that a target means; where options are not parsed, what is written behind them is their value."""
    found = words(target, operands, arguments, analysis) if target else []
    wanted = target.split() if target[:1] == "-" else []
    for place, word in enumerate(arguments.operands if wanted and not arguments.options else ()):
        name, equals, value = word.partition("=")
        if name in wanted:
            found += [value] if equals else arguments.operands[place + 1 : place + 2]
    return found


def _applies(action: dict[str, Any], arguments: Arguments, analysis: EffectAnalysis) -> list[str] | None:
    """The operands that the action concerns, those behind its verbs; None if it does not apply."""
    if not _ELSEWHERE.isdisjoint(action.get("does", "").split()) and _asks_for_help(arguments):
        return None
    when, unless = _options_of(action.get("when", "")), _options_of(action.get("unless", ""))
    against = _options_of(action.get("against", ""))
    if against and not arguments.on(when, against):
        return None
    unseen = bool(when) and not _given(when, arguments)
    if unseen and not ("verbs" in action and any(map(may_be_option, arguments.operands))):
        return None
    if any(analysis.env.get(name) for name in action.get("unless_env", "").split()):
        return None
    if "when_env" in action and not any(analysis.env.get(name) for name in action["when_env"].split()):
        return None
    if "elsewhere" in action and not _machine(action["elsewhere"], arguments, analysis)[1]:
        return None
    if "unless_here" in action and _machine(action["unless_here"], arguments, analysis, True) == (True, []):
        return None
    if not _concerns(action, arguments, analysis):
        return None
    if (unless and _given(unless, arguments)) or ("named" in action and analysis.name not in action["named"].split()):
        return None
    given = arguments.operands[_place_of_verb(arguments, analysis) :]
    operands = [word for word in given if word[:1] != "-" or word == "-" or word in arguments.rest]
    if action.get("spread"):
        operands = " ".join(operands).split()
    loose = bool(action.get("anywhere"))
    if "unless_verbs" in action and _behind(action["unless_verbs"], operands, loose) is not None:
        return None
    if "verbs" in action:
        behind = _behind(action["verbs"], operands, loose)
        if unseen or (behind is None and _may_be_behind(action["verbs"], operands, loose)):
            if unseen is (behind is not None):
                _fear(action, analysis, unseen)
            return None
        if behind is None:
            return None
        operands = behind
    if "unless_tests" in action and _for_tests(
        words(action["unless_tests"], operands, arguments, analysis), arguments, analysis
    ):
        return None
    return operands if action.get("count", 0) <= len(operands) <= action.get("most", len(operands)) else None


_ELSEWHERE = frozenset(("destroys", "deploys"))


def _asks_for_help(arguments: Arguments) -> bool:
    """Return whether the last word, which is no value of an option, has the program say how it is used."""
    bare = any(name in ("-h", "-help", "--help") and value is None for name, value in arguments.options)
    before, last = ("", "", *arguments.operands)[-2:]
    return (bare or (last in ("-h", "-help", "--help") and before[:1] != "-")) and not arguments.rest


_NO_FILES = ("", "0", "1", "2", "true", "false", "yes", "no", "on", "off")  # what switches a variable on or off
_CONNECTIONS = (
    "-h --host DATABASE_URL DB_HOST DB_URL PGHOST PGHOSTADDR PGSERVICE MYSQL_HOST SQLALCHEMY_URL "
    "SQLALCHEMY_DATABASE_URI"
)


def _for_tests(names: list[str], arguments: Arguments, analysis: EffectAnalysis) -> bool:
    """Return whether names are of databases for tests, and nothing in the call names another machine."""
    from policy_engine.programs.sql import is_for_tests

    return bool(names) and all(map(is_for_tests, names)) and not _machine(_CONNECTIONS, arguments, analysis)[1]


def _file_of(address: str) -> str:
    """Return the file that an address of sqlite names, "" for any other."""
    scheme, _, rest = address.partition("://")
    return rest.partition("?")[0].removeprefix("/") if scheme.partition("+")[0] in ("sqlite", "sqlite3") else ""


def _is_for_the_moment(address: str, analysis: EffectAnalysis) -> bool:
    """Return whether an address names a file of sqlite below a folder for temporary files."""
    file = _file_of(address)
    return file[:1] == "/" and is_scratch(analysis.path(file, "write"), analysis.filesystem)


def _environments(arguments: Arguments, analysis: EffectAnalysis) -> list[str]:
    """Return the environments that variables (`RAILS_ENV`, …) and options of the call name."""
    given = [value for name, value in analysis.env.items() if name.endswith("_ENV") or name == "ENV"]
    for word, behind in zip(arguments.operands, (*arguments.operands[1:], ""), strict=False):
        name, equals, value = word.partition("=")
        if name in ("-e", "--env", "--environment") or name.endswith("_ENV"):
            given.append(value if equals else behind)
    from policy_engine.programs.sql import is_for_tests

    named = [
        _database(analysis.env.get(name, "")) for name in ("DATABASE_URL", "DB_URL", "SQLALCHEMY_URL", "PGDATABASE")
    ]
    given += ["test" for name in named if name and (is_for_tests(name) or _is_for_the_moment(name, analysis))]
    return [value.lower() for value in given if value]


def _fear(action: dict[str, Any], analysis: EffectAnalysis, unseen: bool) -> None:
    """Tell the analysis what the action may do, some of whose words are not known; `unseen`: an option, not its
    verb.
    """
    reason = f"not every word of `{analysis.name[:80]}` is known"
    for word in (*action.get("does", "").split(), *(["adds-packages"] if "adds" in action else [])):
        analysis.doubt(word, reason)
    for kind in ("write", "delete"):
        if not unseen and action.get(kind, "")[:1] in ("~", "/"):  # settings and programs of the whole machine
            analysis.paths.append(analysis.may_touch(action[kind], reason, kind))


def _place_of_verb(arguments: Arguments, analysis: EffectAnalysis) -> int:
    """Return how many words stand before the verb of a program whose options are not parsed."""
    if not arguments.operands or arguments.operands[0][:1] != "-":
        return 0
    try:
        return (verb_place((analysis.name, *arguments.operands)) or 1) - 1
    except Undecided:
        return 0


HERE = (
    "localhost",
    "127.0.0.1",
    "::1",
    "[::1]",
    "0.0.0.0",
    "default",
    "desktop-linux",
    "colima",
    "orbstack",
    "rootless",
    "minikube",
    "docker-desktop",
    "rancher-desktop",
)
LOCAL_PREFIXES = ("unix:", "npipe:", "/", ".", "colima-", "kind-", "k3d-")  # of addresses and contexts of this machine
_CLUSTERS = ("kubectl", "oc", "helm")  # whose context `default` may be any cluster


def _machine(
    names: str, arguments: Arguments, analysis: EffectAnalysis, behind: bool = False
) -> tuple[bool, list[str]]:
    """Return whether one of the options or variables names a machine, and the other machines that are named; `behind`:
    options that stand behind the verb count as well.
    """
    place = _place_of_verb(arguments, analysis)
    own = arguments.operands[: place if options_before_verb(analysis.name) is not None and not behind else None]
    wanted = names.split()
    given = arguments.values(*wanted) + [value for name in wanted if (value := analysis.env.get(name))]
    for place, word in enumerate(own if not arguments.options else ()):
        name, equals, value = word.partition("=")
        if name in wanted:
            given += [value] if equals else arguments.operands[place + 1 : place + 2]
    hosts = [value.rpartition("@")[2] for value in given if not _file_of(value)]
    bare = [
        host.partition("://")[2].partition("/")[0].partition(":")[0] or host if "://" in host
        else host.partition(":")[0] if host.count(":") == 1 else host
        for host in hosts
    ]  # fmt: skip
    away = [host for host in bare if host not in HERE and not host.startswith(LOCAL_PREFIXES)]
    return bool(given), away + [host for host in bare if host == "default" and analysis.name in _CLUSTERS]


def _given(names: tuple[str, ...], arguments: Arguments) -> bool:
    """Return whether one of the options is given, with its value where it is named with one (`--location=project`);
    where options are not parsed, a word that is written like it.
    """
    if arguments.has(*names) or any(word.partition("=")[0] in names for word in arguments.operands):
        return True
    return any("=" in name and _has_value(name, arguments) for name in names)


def _has_value(name: str, arguments: Arguments) -> bool:
    option, _, value = name.partition("=")
    words = arguments.operands
    pairs = (words[place : place + 2] for place in range(len(words)))
    return (option, value) in arguments.options or name in words or [option, value] in pairs


def _behind(verbs: str, operands: list[str], loose: bool) -> list[str] | None:
    """The operands behind one of the verbs, if they begin with it, or hold it anywhere where that is enough."""
    for parts in _words_of(verbs):
        for start in range(len(operands) if loose else 1):
            given = operands[start : start + len(parts)]
            if len(given) == len(parts) and all(map(_is_verb, parts, given)):
                return operands[start + len(parts) :]
    return None


def _may_be_behind(verbs: str, operands: list[str], loose: bool) -> bool:
    """Return whether operands that hold none of the verbs (`_behind`) may do so in words that are not known.

    The first operand may be any verb; another word may be part of one whose other words stand beside it.
    """
    if all(map(is_known, operands)):
        return False
    if not is_known(operands[0]):
        return True
    for parts in _words_of(verbs):
        for start in range(len(operands) if loose else 1):
            pairs = list(zip(parts, operands[start : start + len(parts)], strict=False))
            fits = len(pairs) == len(parts) and all(not is_known(word) or _is_verb(part, word) for part, word in pairs)
            if fits and any(part != "*" and is_known(word) for part, word in pairs):
                return True
    return False


_options: dict[str, tuple[str, ...]] = {}
"""The options by the table's text of them, as of `_words`."""


def _options_of(text: str) -> tuple[str, ...]:
    options = _options.get(text)
    if options is None:
        options = _options[text] = tuple(text.split())
    return options


_words: dict[str, list[list[str]]] = {}
"""The words of each verb by the table's text of the verbs, of which there are as many as rows that have some."""


def _words_of(verbs: str) -> list[list[str]]:
    words = _words.get(verbs)
    if words is None:
        words = _words[verbs] = [verb.split() for verb in verbs.split(",")]
    return words


def _is_verb(part: str, word: str) -> bool:
    if part[:1] == "*" != part:
        return word.endswith(part[1:])
    return word.startswith(part[:-1]) if part[-1] == "*" else word == part


def _deep(action: dict[str, Any], arguments: Arguments) -> bool:
    deep = action.get("deep", False)
    return deep if isinstance(deep, bool) else arguments.has(*deep.split()) or bool(arguments.unsure)

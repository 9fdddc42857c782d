"""Judge a client of a service by the verb among its words, where no row of the table knows it.

`NAME NOUN delete X` deletes X elsewhere, whatever NAME is, unless NAME is known to work on this machine only; with
`NAME rm X` a tool may as well tidy up here. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.partial import is_known
from policy_engine.programs._rows import LISTENS, VERBS
from policy_engine.programs.base import find_program, named, package_name, stays_here

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.inline.effect_analysis import EffectAnalysis
    from policy_engine.shell.command import SimpleCommand

_SETS = {kind: frozenset(text.split()) for kind, text in VERBS.items()}
_SERVICES = named("service")
_TRIALS = frozenset("--help -help --dry-run --dryrun --dry_run --plan --check --preview --version help --local".split())
_TEXTS = _SETS["prose"] | {"-m", "-t", "-b"}
_FETCHERS = ("npx", "bunx", "pnpx", "uvx")
_EVERYBODY = ("0.0.0.0", "[::]")  # where a server listens whom each other machine reaches
_ELSEWHERE = frozenset("docker podman nerdctl kubectl ssh".split())
_NETWORKS = ("--net=host", "--network=host")
_CLIENTS = ("cli", "ctl")  # how the names of many clients end
_READERS = ("search", "info", "stat", "stats", "show", "list", "ls", "top", "dump", "scan", "test")  # ends of names
_CHANGING = ("modify", "modrdn", "passwd", "add", "put", "write", "update")  # the same, of what changes something
_CODE = frozenset("sh bash py rb pl js mjs ts php lua java kt kts jar groovy scala clj r jl ps1 git".split())
_MOST_NAMES = 4  # words of which one may be the verb
_JOINTS = {ord(mark): " " for mark in "=,:/._-@"}
_MACHINES, _ADDRESSED = _SETS["machine"], _SETS["machine"] | _SETS["node"]  # options that name a machine
_CONNECTIONS = _ADDRESSED | _SETS["connections"]  # options that say to whom a client speaks
_TOLD = frozenset("nc ncat netcat socat telnet openssl websocat wscat nsupdate".split())  # hand on what they are told
_NAMED = ("server", "connect", "open", "zone")  # lines that say to a client which machine it speaks to
_MOST_TOLD = 64  # lines of a text
_VISIBILITY = ("--visibility", "--access", "--acl", "--permission")
_NOUNS = frozenset(
    "check checks test tests log logs report list query watch plan tree stats export dump history".split()
)
_CUTS = {ord(mark): " " for mark in "=,:\"'[]{}()"}


def shares_network(command: SimpleCommand) -> bool:
    """Return whether a container of the line has the network of this machine."""
    return any(
        word in _NETWORKS or (word in ("--net", "--network") and behind == "host")
        for one in command.line
        if one.name in _ELSEWHERE
        for word, behind in zip(one.argv, (*one.argv[1:], ""), strict=True)
    )


def judge_verbs(command: SimpleCommand, analysis: EffectAnalysis) -> bool:
    """Doubt what a program without a model, or a service's client with one, may do elsewhere by its verb.

    Return whether it hands over what it is given.
    """
    _judge_fed(command, analysis)
    name, words = command.name, command.argv[1:]
    fetched = name in _FETCHERS
    if fetched:  # the package's own words
        place = next((place for place, word in enumerate(words) if word[:1] != "-"), len(words))
        name, words = package_name("".join(words[place : place + 1])), words[place + 1 :]
        fetched = find_program(name) is None
    client = name in _SERVICES
    inside = _ELSEWHERE.intersection(via.partition(" ")[0] for via in command.via) and not shares_network(command)
    if not inside and _listens(name, words, command.env):
        analysis.opaque = False  # this much is known of it
        analysis.does("exposes")
    if not (analysis.opaque or client or fetched) or not is_known(name):
        return False
    if analysis.runs and "bin/" not in command.argv[0]:
        return False  # a script of its own, whose words may mean anything
    if name in _SETS["here"] or not _TRIALS.isdisjoint(words) or words[-1:] == ("-h",):
        return False
    away = [word for word in words if _is_address(word)]
    if analysis.opaque and any(map(_is_code_elsewhere, words)):
        reason = f"`{name[:80]}` is not known, and may run what it fetches"
        analysis.doubt("executes-remote", reason)
        analysis.opaque = False  # this much is known of it
    if stays_here(_endpoints(words, analysis)):
        return False  # an emulator of the service, on this machine
    kind = _verb(name, words, client or bool(away) or name.endswith(_CLIENTS))
    machine = _names_production(words) or _names_machine(words, _ADDRESSED)
    if kind in ("", "makes", "sends") and analysis.opaque:
        kind = _by_name(name, words, command.via, bool(away) or machine) or kind
    if kind in ("", "makes") and analysis.opaque and machine and _acts(name, words):
        kind = "deploys"
    if kind in ("", "makes") and _launches(words):
        kind = "deploys"
    if name in _SETS["clouds"] and _creates(words):
        analysis.opaque = False  # this much is known of it
        analysis.does("deploys")
    reason = f"`{name[:80]}` is not known, and its words say that it changes what lies elsewhere"
    if kind in ("destroys", "deploys") and (analysis.opaque or kind not in analysis.words):
        _doubt(kind, reason, analysis)
    fed = analysis.opaque and (bool(away) or machine)  # to whom it is given goes elsewhere
    _send(words, kind == "sends", away, machine, analysis)
    public = any(option in _VISIBILITY and word == "public" for option, word in zip(("", *words), words, strict=False))
    shared = kind == "sends" and stays_here([word for word in words if "://" in word])
    if (
        kind != "looks"
        and "exposes" not in analysis.words
        and (public or shared or any(not _SETS["exposes"].isdisjoint(word.translate(_CUTS).split()) for word in words))
    ):
        _doubt("exposes", f"`{name[:80]}` may open something to everybody", analysis)
    if machine and analysis.opaque and any(_orders(word.split()) for word in words if " " in word):
        _doubt("destroys", reason, analysis)
    _judge_statements(name, words, analysis)
    return kind == "sends" or fed


def _judge_statements(name: str, words: tuple[str, ...], analysis: EffectAnalysis) -> None:
    """Doubt a program one of whose words is a statement that drops or empties."""
    if not any(" " in word or "(" in word for word in words):
        return
    from policy_engine.programs.sql import is_emptying

    given = [
        word.partition("=")[2] if word[:2] == "--" else word
        for before, word in zip(("", *words), words, strict=False)
        if before not in _TEXTS
    ]
    if any(map(is_emptying, given)):
        _doubt("destroys", f"`{name[:80]}` is not known, and is given a statement that drops or empties", analysis)


def _by_name(name: str, words: tuple[str, ...], via: tuple[str, ...], away: bool) -> str:
    """Return what a program does on another machine by its own name: `apps:destroy` by `ssh`, `ldapdelete -H URL`; or
    by a verb that needs to know the machine: `newctl -n 10.0.0.1 reset`.
    """
    if ":" in name and any(one.partition(" ")[0] == "ssh" for one in via):
        return _verb("ssh", (name, *words), True)
    if away:
        _, first, last = _parts(name)
        strong = _SETS["destroys"] - _SETS["weak"]
        plain = [word for word in words if word[:1].isalpha() and word.replace("-", "").isalpha()][:_MOST_NAMES]
        options = {word[2:].partition("=")[0].partition("-")[0] for word in words if word[:2] == "--"}
        if (first | last | options) & strong or name.endswith(("delete", "destroy", "purge")) or "reset" in plain:
            return "destroys"
        if name.endswith(_CHANGING):
            return "deploys"
    return ""


def _names_production(words: tuple[str, ...]) -> bool:
    """Return whether the words name production as what a client speaks to: `--context prod`, `a.prod:33`, `@prod`."""
    for before, word in zip(("", *words), words, strict=False):
        option, equals, value = word.partition("=")
        said = value if equals and _is_connection(option) else word if _is_connection(before) else ""
        host = (word.rpartition("@")[2] or word).partition("/")[0]
        if word[:1] != "-" and (word[:1] == "@" or ("." in host and (":" in host or "@" in word))):
            said = said or host
        if is_known(said) and not _SETS["living"].isdisjoint(said.lower().translate(_JOINTS).split()):
            return True
    return False


def _acts(name: str, words: tuple[str, ...]) -> bool:
    """Return whether a word that is no value of an option says what is to be done, and none of them that it looks."""
    bare = [word for before, word in zip(("", *words), words, strict=False) if word[:1].isalpha() and before[:1] != "-"]
    verbs = [word.lower() for word in bare if "".join(char for char in word if char not in "-_:").isalpha()]
    beginnings = {part for word in verbs for part in _parts(word)[1]}
    if name.endswith(_READERS):
        return False
    return (not _SETS["orders"].isdisjoint(words) or not beginnings <= _SETS["makes"]) and _SETS["looks"].isdisjoint(
        beginnings
    )


def _judge_fed(command: SimpleCommand, analysis: EffectAnalysis) -> None:
    """Doubt what a client of another machine is told by the text that the line gives it."""
    name, words, text = command.name, command.argv[1:], command.feed
    if not text or not is_known(text) or not (analysis.opaque or name in _TOLD) or name in _SETS["here"]:
        return
    judges = _orders
    lines = [
        line.split()
        for line in text.replace("\\r", "").replace("\\n", "\n").replace(";", "\n").splitlines()[:_MOST_TOLD]
    ]
    named = [line[1] for line in lines if line[:1] and line[0] in _NAMED and line[1:]]
    carried = any(via.partition(" ")[0] == "ssh" for via in command.via)
    if name in _TOLD:
        if any(stays_here([word]) for word in words) and not carried:
            return
    elif not (
        carried
        or words[:1] == ("shell",)
        or _names_production(words)
        or any(map(_is_address, words))
        or _names_machine(words, _ADDRESSED)
        or any("." in one and not stays_here([one]) for one in named)
    ):
        if any(stays_here([word]) for word in words):
            return
        judges = _is_statement
    if any(map(judges, lines)):
        _doubt("destroys", f"`{name[:80]}` is told to delete, by the text that it is given", analysis)


def _orders(words: list[str]) -> bool:
    """Return whether a line for a client tells it to delete: by one of its first two words, as a statement, or by a
    method: `box.space.users:truncate()`.
    """
    verbs = [_parts(word)[1] for word in words[:2] if word.replace("_", "").replace("-", "").isalpha()]
    methods = {word.partition("(")[0].replace(":", ".").rpartition(".")[2] for word in words if "(" in word}
    return any(one & _SETS["destroys"] for one in (*verbs, methods)) or _is_statement(words)


def _is_statement(words: list[str]) -> bool:
    from policy_engine.programs.sql import is_emptying

    return is_emptying(" ".join(words))


def _listens(name: str, words: tuple[str, ...], env: tuple[str, ...]) -> bool:
    """Return whether a server is told to listen to each other machine: by an address, or by an option."""
    if name.startswith("python"):
        name = words[words.index("-m") + 1] if "-m" in words[:-1] else "python"
    elif name in ("yarn", "pnpm", "bun") and words[:1] and words[0] in LISTENS:
        name = words[0]  # a program of the project
    verbs, _, options = LISTENS.get(name, "\0|").partition("|")
    if verbs == "\0" or (verbs.strip() and not any(word in verbs.split() for word in words)):
        return False
    pairs = {f"{before}={word}" for before, word in zip(words, (*words[1:], ""), strict=False)}
    bare = (word for word, behind in zip(words, (*words[1:], "-"), strict=False) if behind[:1] == "-")
    if not {*pairs, *bare}.isdisjoint(options.split()):
        return True
    given = (word.rpartition("=")[2].rpartition("://")[2] for word in (*words, *env))
    return any(value.startswith(_EVERYBODY) or value == "::" for value in given)


def _endpoints(words: tuple[str, ...], analysis: EffectAnalysis) -> list[str]:
    """Return where a service is reached, as options say, or a variable."""
    given = []
    for before, word in zip(words, (*words[1:], ""), strict=False):
        option, equals, value = before.partition("=")
        if option in ("--endpoint-url", "--endpoint"):
            given.append(value if equals else word)
    return given or [value for value in [analysis.env.get("AWS_ENDPOINT_URL")] if value]


def _send(words: tuple[str, ...], sends: bool, away: list[str], machine: bool, analysis: EffectAnalysis) -> None:
    """Send the files that stand among the words: all of them, those before an address of a store, what an option
    says (`--attach FILE`), or a mark (`@FILE`) where the words name another machine.
    """
    copies = bool(away) and not _SETS["stores"].isdisjoint(words)
    own = words[: words.index(away[-1])] if copies else words if sends or any(map(_is_mail, words)) else ()
    given = [value for word in own for value in (word, word.partition("=")[2] if word[:1] == "-" else "")]
    for before, word in zip(words, (*words[1:], ""), strict=False):
        option, equals, value = before.partition("=")
        if option[:2] == "--" and not _SETS["sends"].isdisjoint(option[2:].split("-")):
            given.append((value if equals else word).removeprefix("@"))
    if away or machine:
        given += [word.rpartition("=")[2][1:] for word in words if word.rpartition("=")[2][:1] == "@"]
    paths = [
        analysis.path(text, "read", True)
        for text in given
        if text not in ("", "/") and text[:1] != "-" and is_known(text)
    ]
    there = [path for path in paths if path.known and analysis.filesystem.present(path)]
    if not there and sends and any("upload" in word for word in words[:_MOST_NAMES]):
        there = [path for path in paths if path.known][-1:]  # a build may write it before
    if there:
        analysis.opaque = False  # this much is known of it
        analysis.send(there)


def _is_address(word: str) -> bool:
    """Return whether a word is an address of another place: `s3://b/k`, `dbfs:/a`."""
    scheme, colon, rest = word.partition(":")
    return (
        bool(colon)
        and rest[:1] == "/"
        and scheme.isalnum()
        and len(scheme) > 1
        and scheme != "file"
        and not ("://" in word and stays_here([word]))
    )


def _is_code_elsewhere(word: str) -> bool:
    """Return whether a word is the address of a source or a repository that another machine has."""
    address = word[word.find("http") :] if "http" in word else word
    plain = address.partition("?")[0].partition("#")[0].rstrip("/")
    whole = "://" in plain and plain.rpartition("/")[2].rpartition(".")[2].lower() in _CODE
    return (whole or word.startswith("git+")) and not stays_here([address])


def _is_mail(word: str) -> bool:
    """Return whether a word is somebody's address: `a@b.example`, and no package with its version."""
    name, at, host = word.partition("@")
    return bool(at) and name.isidentifier() and "." in host and host.rpartition(".")[2].isalpha()


def _doubt(kind: str, reason: str, analysis: EffectAnalysis) -> None:
    analysis.opaque = False  # this much is known of it
    analysis.doubt(kind, reason)


def _verb(name: str, words: tuple[str, ...], client: bool) -> str:
    """Return what the first verb among the program's first words does, "" if there is none; its name may be one."""
    names, before = 0, ""
    for place, word in enumerate((name, *words), -1):
        plain = word[:1].isalpha() and "".join(char for char in word if char not in "-_:.").isalnum()
        if word[:1] == "-" or not is_known(word) or not plain:
            if names > 1 and word[:1].isalnum() and "=" not in word and "/" not in word:
                return ""
            continue
        names += 1
        if word.rpartition(".")[2] in _CODE and "." in word:
            continue  # a file: the `rb` of `a.rb` is no verb
        whole, first, last = _parts(word)
        if (
            not client
            and (word in _SETS["weak"] if names == 2 else not whole & _SETS["weak"])
            and first & _SETS["weak"]
        ):
            continue  # `NAME remove X`
        switches = "power" if before in _SETS["machines"] else "switches" if before == "power" else ""
        if switches and word in _SETS[switches]:
            return "deploys"
        before = word
        ends = first | last
        after = words[place + 1] if place + 1 < len(words) else ""
        if word in _SETS["nouns"] and names > 1 and after in _SETS["destroys"] - _SETS["weak"]:
            return "destroys"  # `check delete NAME`
        judged = {"looks": first, "makes": first, "destroys": ends, "deploys": whole | last, "sends": ends}
        for kind, parts in judged.items():
            if parts & _SETS[kind] and (names > 1 or kind == "sends"):
                return kind
        if names > _MOST_NAMES:
            break
    return ""


def _is_path(word: str) -> bool:
    return "/" in word and "://" not in word and "=" not in word and "@" not in word


def _launches(words: tuple[str, ...]) -> bool:
    """Return whether one of the first words starts or changes something, and a later one names production."""
    pieces = [set() if _is_path(word) else set(word.lower().translate(_JOINTS).split()) for word in words]
    for place, (word, verbs) in enumerate(zip(words[:_MOST_NAMES], pieces, strict=False)):
        if word[:1] != "-" and not verbs.isdisjoint(_SETS["launches"]):
            places = _SETS["places"] - (_SETS["living"] if "build" in verbs else set())  # a mode of many compilers
            return any(not places.isdisjoint(piece) for piece in pieces[place + 1 :]) or _names_machine(words[place:])
    return False


def _creates(words: tuple[str, ...]) -> bool:
    """Return whether a client of a cloud is told to set up, start or change what the cloud runs."""
    names = [word for word in words if word[:1].isalpha() and is_known(word)][:_MOST_NAMES]
    for word in names if _SETS["settings"].isdisjoint(names) else ():
        if not (word.islower() or word.isupper()):  # `RebootInstance`
            word = "".join(f"-{char.lower()}" if char.isupper() else char for char in word).lstrip("-")
        verb, hyphen, _ = word.partition("-")
        if verb in _SETS["asks"]:
            return False
        forms = {word, verb, f"{verb}-*", f"{'-'.join(word.split('-')[:2])}-*"} if hyphen else {word}
        if not forms.isdisjoint(_SETS["creates"]):
            return True
    return False


def _names_machine(words: tuple[str, ...], options: frozenset[str] = _MACHINES) -> bool:
    """Return whether an option names another machine: `--host web1.x.example`, or a word how to log in there."""
    given = [word for word in words if word.startswith("ssh://") or (_is_mail(word) and word[:1] != "-")]
    for before, word in zip(words, (*words[1:], ""), strict=False):
        option, equals, value = before.partition("=")
        host = value if equals else word
        dots = 1 if option in _MACHINES else 2  # of a name; others may be a file's
        if option in options and is_known(host) and (host.count(".") >= dots or "@" in host) and "/" not in host:
            given.append(host.partition("@")[2] or host)
        elif options is not _MACHINES and _is_connection(option) and is_known(host):
            address = (host.partition("://")[2] or host).partition("/")[0]
            stored = host.startswith(("sqlite", "file:"))
            given += [address] if ("://" in host and not stored) or (address.count(".") > 1 and address == host) else []
    return any(not stays_here([f"ssh://{host.removeprefix('ssh://')}"]) for host in given)


def _is_connection(option: str) -> bool:
    """Return whether an option says to whom a client speaks: `--rpc-url`, `--alertmanager.url`, `--zosmf-profile`."""
    last = option.replace(".", "-").rpartition("-")[2]
    return option in _CONNECTIONS or (option[:2] == "--" and f"--{last}" in _CONNECTIONS)


def _parts(word: str) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Return the parts of a word that may be verbs, whole, by their beginnings, by their ends: `sites:delete`,
    `delete-table`, `service-delete`, `DeleteBucket`.
    """
    if not (word.isupper() or word.islower()):
        word = "".join(f"-{char}" if char.isupper() else char for char in word).lstrip("-")
    whole = word.lower().split(":")
    pieces = [part.replace("_", "-").replace(".", "-").strip("-").split("-") for part in whole]
    return frozenset(whole), frozenset(one[0] for one in pieces), frozenset(one[-1] for one in pieces)

"""Tell which files a command hands to another machine: encoded in its words, redirected to it, or piped into it.

Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.addresses import leads_to
from policy_engine.model.partial import is_known
from policy_engine.programs.actions import is_elsewhere
from policy_engine.programs.base import find_program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from policy_engine.inline.effect_analysis import EffectAnalysis
    from policy_engine.shell.command import SimpleCommand

_ENCODERS = ("base64", "base32", "xxd", "od", "hexdump", "uuencode", "gbase64")
_REQUESTS = ("curl", "wget", "http", "https", "xh")
_HEADERS = ("-H", "--header", "-b", "--cookie", "-A", "--user-agent", "-e", "--referer")
_SENDERS = (*_REQUESTS, "nc", "ncat", "netcat", "socat")
ENVIRONMENT = "/proc/self/environ"  # stands for what a program prints that holds secrets
_FED_ELSEWHERE = ("ssh", "telnet", "nc", "ncat", "netcat", "socat", "openssl")
_SOCKETS = ("websocat", "wscat", "grpcurl", "evans")  # which send what they are given, to the address in their words
_DATABASES = ("psql", "mysql", "mariadb", "pgcli", "mycli", "usql")
_STATEMENTS = (".sql", ".psql", ".pgsql", ".mysql", ".ddl", ".dml", ".dump", ".sql.gz")  # ends of names
_PACKERS = frozenset(
    "docker podman nerdctl tar gtar bsdtar cpio zip git pg_dump pg_dumpall mysqldump mariadb-dump mongodump".split()
)  # which print what this machine keeps


def hand_over(
    command: SimpleCommand,
    sends: bool,
    analysis: EffectAnalysis,
    look: Callable[[SimpleCommand], EffectAnalysis],
) -> None:
    """Send the files that a request encodes in its words by a substitution, or has in a header or a query, and those
    that are piped to another machine; `sends`: the command hands over what it is given.
    """
    before = command.before
    sends = sends or (command.name in _SOCKETS and not _is_local(command))
    piped = [one for one in before if one.name in command.piped_from]
    if command.name in _SENDERS and (sends or "sends" in analysis.words or command.name not in _REQUESTS):
        secret = [one for one in piped if "discloses" in look(one).words]
        if secret and not _is_local(command):
            analysis.contents.append(PathValue(f"what `{secret[0].text[:80]}` prints", ENVIRONMENT, "read"))
    if ("network" not in analysis.words and not sends) or "sends" in analysis.words:
        return
    if command.name in _DATABASES:
        _hand_to_database(command, piped, analysis, look)
        return
    whole = command.name in _REQUESTS and any(
        not is_known(word if option in _HEADERS else word.partition("?")[2])
        for option, word in zip(command.argv, command.argv[1:], strict=False)
    )
    coded = [
        text for text in command.sources if whole or any(one.name in _ENCODERS and one.text in text for one in before)
    ]
    given = [one for one in before if any(one.text in text for text in coded)]
    if sends or command.name in _FED_ELSEWHERE:
        given += piped
        if not _PACKERS.isdisjoint(command.piped_from) and not _is_local(command):
            analysis.does("sends")
    sent = [path for one in given for path in look(one).contents if path.known]
    sent += [path for path in read_redirects(command) if sends]
    analysis.opaque = analysis.opaque and not sent
    analysis.send(sent)


def _hand_to_database(
    command: SimpleCommand,
    piped: list[SimpleCommand],
    analysis: EffectAnalysis,
    look: Callable[[SimpleCommand], EffectAnalysis],
) -> None:
    """Send the files that the client of a database on another machine is given, but for such that hold statements."""
    program = find_program(command.name)
    arguments = program.arguments(tuple(command.argv[1:])) if program is not None else None
    if arguments is None or not is_elsewhere(arguments, analysis):
        return
    given = [path for one in piped for path in look(one).contents] + read_redirects(command)
    given += [analysis.path(file, "read") for file in arguments.values("-f", "--file")]
    analysis.send([path for path in given if path.known and not path.real.lower().endswith(_STATEMENTS)])


def _is_local(command: SimpleCommand) -> bool:
    """Return whether one of its words leads to this machine."""
    return any(leads_to(word, "loopback") for word in command.argv[1:])


def read_redirects(command: SimpleCommand) -> list[PathValue]:
    """Return the files on its standard input."""
    paths: list[PathValue] = [redirect.path for redirect in command.redirects]  # type: ignore[attr-defined]
    return [path for path in paths if path.access == "read"]

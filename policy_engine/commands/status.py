"""`policy status`: show what is in force for a repository: digest, files, last error, store, log, hook."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

import click

from policy_engine.adapters.base import Adapter
from policy_engine.audit.log import log_path
from policy_engine.audit.reader import size
from policy_engine.cache.reader import Head, read_head, unchanged
from policy_engine.checker.tree import CheckedHook, CheckedLimit, CheckedPolicy, CheckedRule
from policy_engine.commands.base import DOES_NOT_LOAD, FOLDER, Cell, emit, emit_json, format_option, output_style, table
from policy_engine.history.ledger import ledger
from policy_engine.hook_process.adoption import Held, held_back
from policy_engine.hook_process.residence import ON, UNFIT, residence
from policy_engine.hosts.addresses import addressed
from policy_engine.hosts.layers import layers, project_root
from policy_engine.hosts.registered import read_layer
from policy_engine.hosts.registration import handlers
from policy_engine.loading.demands import demanded
from policy_engine.loading.effects import TRUSTED, effects
from policy_engine.loading.layered import GONE
from policy_engine.loading.live import repository
from policy_engine.loading.refresh import Disk
from policy_engine.loading.settings_source import store_place
from policy_engine.loading.status import LayerStatus, Status, Storage, read_status, storage
from policy_engine.model import family
from policy_engine.model.errors import ConfigurationError, PolicyLoadError, StoreError
from policy_engine.model.layers import BUILTIN, REPOSITORY, prefix
from policy_engine.model.store_address import is_server, shown_place
from policy_engine.reports.base import Style, columns, counted, painted, shown
from policy_engine.reports.ledger_text import ledger_text
from policy_engine.runtime.stored_sessions import open_store, state_of
from policy_engine.state.places import (
    REPOSITORY_FOLDER,
    cache_folder,
    home,
    layer_folders,
    place_name,
    program_name,
)
from policy_engine.state.sealed import CacheMiss

NEVER, FRESH, CHANGED, BROKEN, NONE = "never loaded", "in force", "changed", "broken", "none"
SHOWN_DIGEST = 31
Lines = list[tuple[str, list[Cell]]]
_STYLES = {
    NEVER: "yellow",
    FRESH: "green",
    CHANGED: "yellow",
    BROKEN: "bold red",
    NONE: "yellow",
    ON: "green",
    UNFIT: "yellow",
}
_SAID = {
    NEVER: "it is compiled at the first event",
    FRESH: "what is in the files decides",
    CHANGED: "the files changed; the new policy takes effect at the next event",
    BROKEN: "the files do not load",
    NONE: "there is no policy folder here; `policy init` writes a starter",
}


@dataclass(frozen=True, slots=True)
class _Policy:
    """The policies in force in a repository: `digest` in force, empty if no event came yet; `errors` what is wrong
    with the files now, one line each; `lacking` what refuses every call; `layers` the strongest first.

    `loaded_at` is when they were last loaded for an event, RFC 3339, or empty; `last_error` what went wrong then.
    """

    folder: str
    state: str
    digest: str
    rules: int | None
    files: int
    loaded_at: str
    last_error: tuple[str, ...]
    errors: tuple[str, ...]
    lacking: tuple[str, ...]
    layers: tuple[LayerStatus, ...]


@dataclass(frozen=True, slots=True)
class _Trust:
    """The trust in the commands of the policy; `digest` is that of what decides what they would execute."""

    state: str
    digest: str
    commands: int
    problem: str


@dataclass(frozen=True, slots=True)
class _File:
    """A file of the engine: `bytes` is None if it does not exist."""

    path: str
    bytes: int | None


@dataclass(frozen=True, slots=True)
class _Hook:
    """The place where a host's settings call the hook; `problem` says what could not be read."""

    host: str
    registered_in: tuple[str, ...]
    problem: str


@click.command(short_help="Show what is in force here.", epilog="Example: policy status --format json")
@click.argument("folder", required=False, metavar="[FOLDER]", type=FOLDER)
@click.option("--session", metavar="ID", help="Show instead what is known of a session.")
@click.option("--rules", is_flag=True, help="List instead the rules, limits and hooks in force, of all layers.")
@format_option("text", "json")
def COMMAND(folder: Path | None, session: str | None, rules: bool, format_name: str) -> int:
    """Show what is in force for the repository around FOLDER (or here), and whether anything keeps it from deciding.

    Exit status: 3 if the policy files do not load, else 0.
    """
    if session is not None:
        return _session(session, format_name)
    root = project_root(folder or Path.cwd())
    if rules:
        return _rules(repository(str(root)), format_name)
    place = repository(str(root))
    policy, trust, held = _policy(place), _trust(place), held_back(os.path.realpath(place))
    store, log = storage(store_place()), _File(log_path(), size(log_path()))
    daemon = residence()
    hooks = [_hook(adapter, root) for adapter in family.members("policy_engine.adapters", Adapter)]
    if format_name == "json":
        emit_json(
            {
                "policy": asdict(policy),
                "trust": asdict(trust) if trust is not None else None,
                "held": [one.to_dict() for one in held],
                "store": asdict(store),
                "log": asdict(log),
                "daemon": asdict(daemon),
                "hooks": [asdict(hook) for hook in hooks],
            }
        )
    else:
        rest: Lines = [("log", _place(log)), ("daemon", [(daemon.text, _STYLES.get(daemon.state, ""))]), *_hooks(hooks)]
        emit(_text(policy, trust, store, [*map(_held, held), *rest], output_style()))
    return DOES_NOT_LOAD if policy.state == BROKEN else 0


def _session(session: str, format_name: str) -> int:
    """The ledger of a session in the store of the hooks."""
    place = store_place()
    store = open_store(place)
    try:
        state = state_of(store, session) if store.present() else None
    except StoreError as error:
        raise ConfigurationError(f"the sessions cannot be read: {error}") from None
    finally:
        store.close()
    if state is None:
        raise ConfigurationError(f"there is no session `{shown(session)}` in `{shown_place(place)}`")
    counted = ledger(state)
    if format_name == "json":
        emit_json(counted)
    else:
        emit(ledger_text(counted, output_style()))
    return 0


def _rules(root: str, format_name: str) -> int:
    """Everything in force here that can speak, the strongest layer first."""
    layered = Disk().combined(layer_folders(root))
    rows = [_declared(layer, item) for layer, policy in layered.policies for item in _speaking(policy)]
    if format_name == "json":
        emit_json([dict(zip(("rule", "says", "on", "at", "title"), row, strict=True)) for row in rows])
    else:
        emit(table(("RULE", "SAYS", "ON", "TITLE"), [[(row[at], "") for at in (0, 1, 2, 4)] for row in rows]))
    return DOES_NOT_LOAD if layered.lacking else 0


def _speaking(policy: CheckedPolicy) -> Iterator[CheckedRule | CheckedLimit | CheckedHook]:
    yield from policy.rules
    yield from policy.limits
    yield from policy.hooks


def _declared(layer: str, item: CheckedRule | CheckedLimit | CheckedHook) -> tuple[str, ...]:
    """Id, what it may say, where it listens, its place and its title."""
    if isinstance(item, CheckedRule):
        says = [item.verdict or "timeout"]
    else:
        says = [step.verdict for step in item.steps] if isinstance(item, CheckedLimit) else ["asks"]
    shadow = isinstance(item, CheckedRule | CheckedLimit) and item.shadow
    points = dict.fromkeys(listen.point for listen in item.listens)
    word = ", ".join(dict.fromkeys(says)) + " (shadow)" * shadow
    return prefix(layer) + item.id, word, ", ".join(points), item.place.location, item.title


def _policy(root: str) -> _Policy:
    folder, folders = f"{root}/{REPOSITORY_FOLDER}", layer_folders(root)
    head, record = _head(program_name(folders)), read_status(place_name(folders))
    digest = head.digest if head is not None else ""
    at = _clock(record.at) if record is not None else ""
    last = record.errors if record is not None else ()
    now = record
    if head is None or record is None or not unchanged(head):
        layered = Disk().combined(folders)
        now = Status.of(layered, (*layered.lacking, *demanded(layered.layers)), 0)
    assert now is not None
    if now.errors:
        state = BROKEN
    elif not any(layer.name == REPOSITORY for layer in now.layers):
        state = NONE
    else:
        state = NEVER if head is None else FRESH if now.digest == digest else CHANGED
    files, rules = (sum(getattr(layer, name) for layer in now.layers) for name in ("files", "rules"))
    return _Policy(folder, state, digest, rules, files, at, last, now.errors, now.lacking, now.layers)


def _trust(root: str) -> _Trust | None:
    """None where there is no policy that loads: nothing of it is shown, and nothing of it runs."""
    try:
        trusted = effects(root)
    except (ConfigurationError, PolicyLoadError):
        return None
    return _Trust(trusted.state, trusted.found.digest, len(trusted.found.runs), trusted.reason)


def _head(name: str) -> Head | None:
    try:
        return read_head(f"{cache_folder()}/active/{name}")
    except CacheMiss:
        return None


def _clock(at: int) -> str:
    try:
        return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError, OSError, TypeError):
        return ""


def _hook(adapter: Adapter, root: Path) -> _Hook:
    """Return where the hook stands in the settings; whether it works is what `policy doctor` proves."""
    lines: list[str] = []
    problem = ""
    try:
        for layer in layers(adapter.registration, root):
            file = read_layer(adapter, layer)
            ours = (*handlers(file.settings, adapter), *addressed(file.settings, adapter))
            if file.data is not None and ours:
                lines.append(str(layer.path))
    except ConfigurationError as error:
        problem = str(error)
    return _Hook(adapter.name, tuple(lines), problem)


def _text(policy: _Policy, trust: _Trust | None, store: Storage, rest: Lines, style: Style) -> str:
    lines: Lines = [
        ("policy", [(_brief(policy.folder), "bold")]),
        ("state", [(policy.state, _STYLES[policy.state]), (f": {_SAID[policy.state]}", "")]),
    ]
    if policy.state == BROKEN:
        kept = "every call is refused" if policy.lacking else "the last good policy stays in force"
        advice = "`policy forget` lets it go" if GONE in policy.errors else "`policy check` shows where"
        lines += [("", [(f"{kept} until they do; {advice}", "")])]
        lines += [("error", [(error, "red")]) for error in policy.errors]
    lines += [("layer", _layer(layer)) for layer in policy.layers]
    if policy.digest:
        lines.append(("digest", [(_cut(policy.digest), "")]))
        lines.append(("rules", [(f"{policy.rules} in {counted(policy.files, 'file')}", "")]))
    if policy.loaded_at:
        lines.append(("loaded", [(policy.loaded_at, "")]))
    lines += [("then", [(error, "red")]) for error in policy.last_error if error not in policy.errors]
    if trust is not None and trust.commands:
        count = f" {counted(trust.commands, 'command')} as {_cut(trust.digest)}"
        lines.append(("trust", [(trust.state, "green" if trust.state == TRUSTED else "yellow"), (count, "")]))
        lines += [("", [(trust.problem, "")])] if trust.problem else []
    lines += [("store", _place(store)), *(("", [(problem, "red")]) for problem in store.problems), *rest]
    width = max(columns(label) for label, _ in lines)
    segments: list[Cell] = []
    for label, cells in lines:
        segments.append((f"{label:{width}}  ", "dim"))
        segments += [(shown(text), look) for text, look in cells]
        segments.append(("\n", ""))
    return painted(segments, style)


def _hooks(hooks: list[_Hook]) -> Lines:
    """The hosts that call the hook, and those whose settings cannot be read; that there are none is said once."""
    lines: Lines = []
    for hook in hooks:
        if hook.registered_in or hook.problem:
            where = (", ".join(map(_brief, hook.registered_in)), "green")
            lines.append((f"hook {hook.host}", [where if hook.registered_in else ("not registered", "yellow")]))
            lines += [("", [(hook.problem, "red")])] if hook.problem else []
    if not any(hook.registered_in for hook in hooks):
        lines.append(("hook", [("not registered", "yellow"), ("; `policy install HOST` does it", "")]))
    return lines


def _held(held: Held) -> tuple[str, list[Cell]]:
    """Sessions that go on with what they began with."""
    lost = held.difference.text() if held.difference is not None else f"nobody knows with what: {held.problem}"
    cause = f"; it changed {held.cause}" if held.cause else ""
    advice = "; `policy adopt` lets that go"
    return "held", [
        (f"{counted(len(held.sessions), 'session')} began with more", "yellow"),
        (f": {lost}{cause}{advice}", ""),
    ]


def _place(file: _File | Storage) -> list[Cell]:
    if is_server(file.path):
        return [(file.path, "")]
    return [(_brief(file.path), ""), (f" ({'not there yet' if file.bytes is None else _size(file.bytes)})", "dim")]


def _cut(digest: str) -> str:
    """Enough of a digest to tell two apart; the JSON form has it whole."""
    return digest if len(digest) <= SHOWN_DIGEST else f"{digest[:SHOWN_DIGEST]}…"


def _layer(layer: LayerStatus) -> list[Cell]:
    what = f"{counted(layer.rules, 'rule')} in {counted(layer.files, 'file')}" if layer.digest else "not in force"
    where = "" if layer.name == BUILTIN else f", {_brief(layer.folder)}"
    return [(layer.name, "bold"), (f": {what}{where}", ""), *((f"; {note}", "yellow") for note in layer.notes)]


def _brief(path: str) -> str:
    """A path below the home folder with `~`."""
    base = home()
    return f"~{path[len(base) :]}" if base and path.startswith(f"{base.rstrip('/')}/") else path


def _size(number: int) -> str:
    if number < 1_000:
        return counted(number, "byte")
    return f"{number / 1_000:.1f} KB" if number < 1_000_000 else f"{number / 1_000_000:.1f} MB"

"""Migrate a configuration of neo-code with removed keys to the same file in its present form, without a policy.

Comments and layout stay where the change allows it. `context.auto_compact` becomes `context.budget`, removed keys are
dropped, a verifier's command in one string becomes an argv, and `generate_start_timeout_sec` is added. What cannot be
changed safely is an error, and the file stays as it is.

    context: {auto_compact: {input_token_threshold: 120000}}
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from policy_engine.conversion.document import Located, Refused, read_yaml
from policy_engine.conversion.writing import Migrated, comment, quoted
from policy_engine.migrations.base import Migration
from policy_engine.model.errors import ConfigurationError
from policy_engine.model.source import Source, Span

_RENAMED = {"input_token_threshold": "prompt_budget", "fallback_input_token_threshold": "fallback_prompt_budget"}
_VERIFICATION = ("enabled", "default_task_policy", "final_intercept", "max_retries", "hooks", "max_no_progress")
_VERIFIER = ("enabled", "required", "fail_open", "fail_closed")
_SHELL = re.compile(r"['\"\\|;<>\n]|&&|\$\(")
_START_SECONDS = 90
_DISABLED = "Compaction was switched off by `auto_compact.enabled: false`; a budget has no such switch."


@dataclass(frozen=True, slots=True)
class _Edit:
    """A stretch of the text and what takes its place."""

    span: Span
    text: str


def convert(sources: Sequence[Source]) -> Migrated:
    """Return the file in its present form. Raises Refused, or ConfigurationError for more than one file."""
    if len(sources) != 1:
        raise ConfigurationError("one configuration at a time is brought up to date")
    (source,) = sources
    root = read_yaml(source)
    if root is None or root.value is None:
        return Migrated(f"generate_start_timeout_sec: {_START_SECONDS}\n")
    if not isinstance(root.value, dict):
        raise root.refused("a configuration is a mapping")
    edits, notes = list(_edits(root)), _notes(root)
    text = _applied(source.text, edits)
    if "generate_start_timeout_sec" not in root.entries:
        text = _with_start_timeout(text, root)
    if notes and text != source.text:
        text = "".join(f"{comment(note)}\n" for note in notes) + text
    wanted = _wanted(root)
    again = read_yaml(Source(source.name, text))
    return Migrated(text if again is not None and again.value == wanted else _dumped(wanted, notes))


def _edits(root: Located) -> Iterator[_Edit]:
    context = root.entries.get("context")
    old = context.entries.get("auto_compact") if context is not None else None
    if context is not None and old is not None:
        if "budget" in context.entries:
            where = context.where_key("auto_compact")
            raise Refused([f"{where}: `context.auto_compact` and `context.budget` cannot both exist"])
        if old.value is not None and not isinstance(old.value, dict):
            raise old.refused("`context.auto_compact` is no mapping")
        yield _Edit(context.keys["auto_compact"], "budget")
        yield from (_Edit(old.keys[key], new) for key, new in _RENAMED.items() if key in old.entries)
        yield from _dropped(old, ("enabled",))
    yield from _dropped(root.entries.get("runtime"), ("max_no_progress_streak",))
    yield from _dropped(root.entries.get("memo"), ("extract_recent_messages",))
    for verification in (root.below("runtime", "verification"), root.entries.get("verification")):
        yield from _dropped(verification, _VERIFICATION)
        verifiers = verification.entries.get("verifiers") if verification is not None else None
        for verifier in verifiers.entries.values() if verifiers is not None else ():
            yield from _dropped(verifier, _VERIFIER)
            yield from _argv(verifier)


def _dropped(mapping: Located | None, keys: Sequence[str]) -> Iterator[_Edit]:
    if mapping is None:
        return
    gone = [key for key in keys if key in mapping.entries]
    if gone and len(gone) == len(mapping.entries):
        yield _Edit(mapping.span, "{}" if mapping.source.text[mapping.span.start] == "{" else "{}\n")
        return
    for key in gone:
        text, start = mapping.source.text, mapping.keys[key].start
        end = len(text[: mapping.entries[key].span.end].rstrip())  # a block ends where the next token begins
        if text[mapping.span.start] == "{":
            comma = re.compile(r"\s*,\s*").match(text, end)
            yield _Edit(Span(start, comma.end() if comma else end), "")
        else:
            line_end = text.find("\n", end)
            yield _Edit(Span(text.rfind("\n", 0, start) + 1, len(text) if line_end < 0 else line_end + 1), "")


def _argv(verifier: Located) -> Iterator[_Edit]:
    command = verifier.entries.get("command")
    if command is not None and isinstance(command.value, str):
        yield _Edit(command.span, f"[{', '.join(map(_yaml_text, _words(command)))}]")


def _words(command: Located) -> list[str]:
    words: list[str] = command.value.split()
    if _SHELL.search(command.value) or not words:
        raise command.refused(f"the command {quoted(command.value)} needs a shell: rewrite it as argv")
    return words


def _yaml_text(word: str) -> str:
    return '"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _notes(root: Located) -> list[str]:
    old = root.below("context", "auto_compact", "enabled")
    return [_DISABLED] if old is not None and old.value is False else []


def _applied(text: str, edits: Sequence[_Edit]) -> str:
    for edit in sorted(edits, key=lambda edit: edit.span, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


def _with_start_timeout(text: str, root: Located) -> str:
    line = f"generate_start_timeout_sec: {_START_SECONDS}"
    if root.source.text[root.span.start] == "{":
        at = text.index("{") + 1
        return f"{text[:at]}{line}, {text[at:]}"
    return text + ("" if text.endswith("\n") else "\n") + line + "\n"


# ---- the same on values, against which the text is held ------------------------------------------------------------


def _wanted(root: Located) -> dict[str, Any]:
    """Return the values that the new text must have."""
    settings: dict[str, Any] = _copied(root)
    context, runtime = settings.get("context"), settings.get("runtime")
    if isinstance(context, dict) and "auto_compact" in context:
        old = context.pop("auto_compact")
        renamed = {_RENAMED.get(key, key): value for key, value in (old or {}).items() if key != "enabled"}
        context["budget"] = renamed if old is not None else None
    _without(runtime, ("max_no_progress_streak",))
    _without(settings.get("memo"), ("extract_recent_messages",))
    for verification in (
        runtime.get("verification") if isinstance(runtime, dict) else None,
        settings.get("verification"),
    ):
        _without(verification, _VERIFICATION)
        verifiers = verification.get("verifiers") if isinstance(verification, dict) else None
        for verifier in verifiers.values() if isinstance(verifiers, dict) else ():
            _without(verifier, _VERIFIER)
            if isinstance(verifier, dict) and isinstance(verifier.get("command"), str):
                verifier["command"] = verifier["command"].split()
    settings.setdefault("generate_start_timeout_sec", _START_SECONDS)
    return settings


def _copied(located: Located) -> Any:
    if located.entries:
        return {key: _copied(below) for key, below in located.entries.items()}
    return [_copied(item) for item in located.items] if located.items else located.value


def _without(mapping: Any, keys: Sequence[str]) -> None:
    for key in keys if isinstance(mapping, dict) else ():
        mapping.pop(key, None)


def _dumped(wanted: dict[str, Any], notes: Sequence[str]) -> str:
    """Return the values written anew, where a change of the text alone does not give them."""
    import yaml

    head = [*notes, "Written anew: the layout of the old file left no other way, and its comments are in the backup."]
    return "".join(f"{comment(line)}\n" for line in head) + yaml.safe_dump(wanted, sort_keys=False, allow_unicode=True)


SEED_CONFIG = Migration("seed-config", "configuration of neo-code with removed keys", convert, rewrites=True)

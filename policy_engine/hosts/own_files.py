"""Write command lines to the files of our own that some hosts want instead of settings, and read them back.

A script is an executable that a host runs by its name and whose output alone it reads: where the engine gives none,
the script refuses by itself. A plugin is JavaScript that the host loads into its own process: it runs the line with a
time-out, and throws on everything but consent, for its host would wait for ever.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from policy_engine.hosts.settings_file import SettingsFile, read_bytes, replace_bytes
from policy_engine.model.errors import ConfigurationError

_ANSWER = ("answer=$(", "\n)")
_LINES = "const LINES = "
_EXECUTABLE, _READABLE = 0o755, 0o644


def script_text(command: str, closed: str) -> str:
    """The executable around a command line; `closed` is what it answers where the engine gave no answer."""
    refusal = "'" + closed.replace("'", "'\\''") + "'"
    lines = ["#!/bin/sh", "# Written by `policy install`, and taken away by `--uninstall`."]
    if closed:
        lines.append(f"refuse() {{ printf '%s\\n' {refusal}; exit 2; }}")
        lines.append("trap refuse HUP INT TERM")
    lines += [f"answer=$({command}", ")", "status=$?"]
    if closed:
        lines.append('[ $status = 0 ] || [ -n "$answer" ] || refuse')
    lines += ["printf '%s' \"$answer\"", "exit $status", ""]
    return "\n".join(lines)


def script_line(text: str) -> str:
    """The command line of a script, "" if it is none of ours."""
    start, end = _ANSWER
    return text.partition(start)[2].partition(end)[0] if start in text else ""


def plugin_lines(text: str) -> dict[str, str]:
    """Return the command line of each event as they stand in a plugin; empty if it is none of ours."""
    for line in text.splitlines():
        if line.startswith(_LINES):
            try:
                document = json.loads(line.removeprefix(_LINES))
            except ValueError:
                return {}
            return document if all(type(value) is str for value in document.values()) else {}
    return {}


def plugin_text(lines: dict[str, str], seconds: dict[str, int]) -> str:
    """The plugin for opencode."""
    head = "// Written by `policy install opencode`, and taken away by `--uninstall`.\n"
    given = f"{_LINES}{json.dumps(lines)}\nconst SECONDS = {json.dumps(seconds)}\n"
    return head + 'import { spawnSync } from "node:child_process"\n\n' + given + _PLUGIN


_PLUGIN = """const parents = {}
const refused = {} // completions of a session in a row: nothing else bounds them here
const MOST = 7

// The engine is asked about each event; whatever is no consent throws, and what is thrown is what the model reads.
function ask(context, name, input, output, session) {
  const payload = {
    input, output, directory: context.directory, worktree: context.worktree, parent: parents[session] ?? null,
  }
  const child = spawnSync("/bin/sh", ["-c", LINES[name]], {
    input: JSON.stringify(payload, withoutCatalogue), cwd: context.directory, timeout: SECONDS[name] * 1000,
    killSignal: "SIGKILL", maxBuffer: 1 << 24,
  })
  let answer = {}
  try {
    answer = JSON.parse(String(child.stdout || "").trim() || "{}")
  } catch {
    answer = { refuse: "policy: the engine's answer cannot be read; refused" }
  }
  if (child.status !== 0 && !answer.refuse) {
    answer.refuse = String(child.stderr || "").trim() || "policy: the engine did not answer; refused"
  }
  if (answer.show) {
    const body = { service: "policy-engine", level: "warn", message: answer.show }
    Promise.resolve(context.client?.app?.log?.({ body })).catch(() => {})
  }
  return answer
}

// Some events carry the provider's whole catalogue of models.
function withoutCatalogue(key, value) {
  return key === "model" || key === "provider" ? { id: value?.id ?? value?.modelID } : value
}

export const PolicyEngine = async (context) => ({
  "chat.message": async (input, output) => {
    const answer = ask(context, "chat.message", input, output, input.sessionID)
    if (answer.refuse) throw new Error(answer.refuse)
  },
  "tool.execute.before": async (input, output) => {
    const answer = ask(context, "tool.execute.before", input, output, input.sessionID)
    if (answer.refuse) throw new Error(answer.refuse)
  },
  "tool.execute.after": async (input, output) => {
    const said = { title: output?.title, output: output?.output, metadata: output?.metadata }
    const answer = ask(context, "tool.execute.after", input, said, input.sessionID)
    const tell = answer.tell ?? answer.refuse
    if (tell && typeof output?.output === "string") output.output += "\\n" + tell
  },
  event: async ({ event }) => {
    const about = event.properties ?? {}
    const session = about.sessionID ?? about.info?.id
    // messages have parents too
    if (event.type.startsWith("session.") && about.info?.parentID) parents[session] = about.info.parentID
    const name = `event.${event.type}`
    if (!LINES[name] || !session) return
    const given = { event: { type: event.type, properties: { ...about, sessionID: session } } }
    const answer = ask(context, name, given, null, session)
    if (name !== "event.session.idle") return
    refused[session] = answer.refuse ? (refused[session] ?? 0) + 1 : 0
    if (answer.refuse && refused[session] <= MOST) {
      const body = { parts: [{ type: "text", text: answer.refuse }] }
      await context.client.session.prompt({ path: { id: session }, body })
    }
  },
})
"""


def read_own(path: Path, inside: Path | None, names: tuple[str, ...], folder: bool) -> SettingsFile:
    """The files of these names in a folder, or the one file, as a dictionary of their texts."""
    target = Path(os.path.realpath(path))
    if inside is not None and not target.is_relative_to(os.path.realpath(inside)):
        raise ConfigurationError(f"{path} leads out of {inside}, to {target}: refused")
    entries: dict[str, Any] = {}
    for name in names if folder else (path.name,):
        data = read_bytes(target / name if folder else target)
        if data is not None:
            entries[name] = data.decode("utf-8", "surrogateescape")
    return SettingsFile(path, target, b"" if entries else None, entries)


def write_own(file: SettingsFile, settings: dict[str, Any], folder: bool) -> bool:
    """Make the files say `settings`; true if anything changed. Files that are no longer wanted go."""
    changed = False
    for name in sorted({*file.settings, *settings}):
        if file.settings.get(name) == settings.get(name):
            continue
        path = file.target / name if folder else file.target
        before = file.settings.get(name)
        data = None if before is None else before.encode("utf-8", "surrogateescape")
        if name not in settings:
            path.unlink()
        else:
            replace_bytes(path, data, settings[name].encode(), _EXECUTABLE if folder else _READABLE)
        changed = True
    return changed

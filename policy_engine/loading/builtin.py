"""Find the files of the policies that the engine brings along, and where this installation is."""

from __future__ import annotations

import os
from pathlib import Path

from policy_engine.loading.installation import installation, plain
from policy_engine.loading.sources import PACK, SUFFIX, PolicyFile
from policy_engine.model.own_entries import SECRETS
from policy_engine.model.shipped import shipped
from policy_engine.state.places import cache_folder, config_folder, host_folders, state_folder

THEME = "builtin"
_PLACES = """\
language 1

define own_places = glob({globs})
define own_interpreter = glob({interpreter}) except glob({between})
define own_secrets = glob({secrets})

rule no-tamper-places "The engine's own files are left alone" {{
  severity critical
  on before_tool(shell)
  when any c in commands {{ any p in c.touches where p.access != "read" {{
    p matches own_places or p matches own_interpreter
  }} }}
  fail ask
  deny "`{{c.text}}` changes {{p}}, where the policy engine or its host runs from or keeps records. A person does that."
}}

rule no-tamper-places-files "File tools leave the engine's own files alone" {{
  severity critical
  on before_tool(write, edit, mcp, other)
  when any p in paths {{ p matches own_places or p matches own_interpreter }}
  deny "{{p}} belongs to the policy engine or its host. A person changes that."
}}

rule no-tamper-secrets-files "Tools do not read the engine's own secrets" {{
  severity critical
  on before_tool(read, search)
  when any p in paths {{ p matches own_secrets }}
  fail open
  deny "With {{p}} anybody can speak for the host. A person may look at it."
}}
"""


def builtin_folder() -> str:
    """Return where the shipped part is."""
    return str(shipped(f"rules/{THEME}"))


def builtin_files() -> list[PolicyFile]:
    """Every file of the built-in layer. Raises OSError."""
    files = []
    for path in sorted(Path(builtin_folder()).glob(f"*{SUFFIX}")):
        files.append(PolicyFile.given(f"{PACK}{THEME}/{path.stem}", str(path), path.read_bytes()))
    installed = installation()
    globs = [*installed.parts, *(_pattern(place) + "{,/**}" for place in own_places()), *host_places()]
    secrets = [_pattern(f"{state_folder()}/{name}") for name in SECRETS]
    given = {"globs": globs, "interpreter": installed.interpreter, "between": installed.between, "secrets": secrets}
    text = _PLACES.format(**{name: ", ".join(map(_literal, files)) for name, files in given.items()})
    files.append(PolicyFile.given(f"{PACK}{THEME}/places", "", text.encode("utf-8", "backslashreplace")))
    return files


def own_places() -> list[str]:
    """The folders where the engine keeps policies, state and compiled programs."""
    return [config_folder(), state_folder(), cache_folder()]


def host_places() -> list[str]:
    """The places of coding agents where a variable names them; elsewhere `no-tamper` has the same by their names."""
    kept = {"CLAUDE_CONFIG_DIR": "{,/settings*.json,/.claude.json,/hooks/**,/projects{,/*,/**/*.jsonl}}"}
    return [_pattern(folder) + kept.get(name, "{,/**}") for name, folder in host_folders().items()]


def _pattern(place: str) -> str:
    """Return a glob of this path alone; a variable may name it with `..`, which no glob has."""
    return plain(os.path.realpath(place) if ".." in place.split("/") else place)


def _literal(text: str) -> str:
    """A string of the language that stands for this text."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'

"""The policies that the engine brings along → their files: what is shipped, and where this installation is."""

from __future__ import annotations

from pathlib import Path

import policy_engine
from policy_engine.loading.sources import PACK, SUFFIX, PolicyFile
from policy_engine.model.places import cache_folder, config_folder, state_folder
from policy_engine.model.shipped import shipped

THEME = "builtin"
_PLACES = """\
language 1

define own_places = glob({globs})

rule no-tamper-places "The engine's own files are left alone" {{
  severity critical
  on before_tool(shell)
  when any c in commands {{ any p in c.touches where p.access != "read" {{ p matches own_places }} }}
  fail ask
  deny "`{{c.text}}` changes {{p}}, which the policy engine runs from or keeps its state in. A person does that."
}}

rule no-tamper-places-files "File tools leave the engine's own files alone" {{
  severity critical
  on before_tool(write, edit, mcp, other)
  when any p in paths {{ p matches own_places }}
  deny "{{p}} belongs to the policy engine. A person changes that."
}}
"""


def builtin_folder() -> str:
    """Where the shipped part is."""
    return str(shipped(f"rules/{THEME}"))


def builtin_files() -> list[PolicyFile]:
    """Every file of the built-in layer. Raises OSError."""
    found = []
    for path in sorted(Path(builtin_folder()).glob(f"*{SUFFIX}")):
        found.append(PolicyFile.given(f"{PACK}{THEME}/{path.stem}", str(path), path.read_bytes()))
    text = _PLACES.format(globs=", ".join(_literal(f"{place}{{,/**}}") for place in own_places()))
    found.append(PolicyFile.given(f"{PACK}{THEME}/places", "", text.encode("utf-8", "backslashreplace")))
    return found


def own_places() -> list[str]:
    """The folders of this installation: its code, and where it keeps policies, state and compiled programs."""
    package = Path(policy_engine.__file__).resolve().parent
    return [str(package), config_folder(), state_folder(), cache_folder()]


def _literal(text: str) -> str:
    """A string of the language that stands for a glob of this path."""
    end = text.rindex("{,/**}")
    escaped = "".join(f"[{char}]" if char in "*?[{" else char for char in text[:end])
    return '"' + (escaped + text[end:]).replace("\\", "\\\\").replace('"', '\\"') + '"'

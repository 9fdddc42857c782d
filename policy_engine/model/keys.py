"""Check the keys of one record: EventError where two of them would be one to a more lenient reader.

`command` beside `Command`, full-width letters, another normal form, a zero-width character, a blank at the end: a
reader that folds keys would take the other value. Only keys that decide something are looked at. Imported by the hook
path.
"""

from __future__ import annotations

from policy_engine.model.errors import EventError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

# Of the canonical event and of the hosts, folded.
_GUARDED = """
    hook session id time cwd workspace agent host tool result changes facts todos prompt answer goal plan diff git
    name kind args server ok exit_code text timed_out status path command shell content url pattern patch edits
    file_path notebook_path old_string new_string new_source cell_source
    hook_event_name session_id agent_id agent_type permission_mode tool_name tool_input tool_use_id tool_response
    tool_calls tool_args toolname toolargs toolinput sessionid error is_interrupt interrupted backgroundtaskid
"""
GUARDED_KEYS = frozenset(_GUARDED.split())


def check_keys(record: Iterable[str]) -> None:
    """Raise EventError if two keys read the same guarded key."""
    seen = set()
    for key in record:
        folded = key if key in GUARDED_KEYS else _fold(key)
        if folded in GUARDED_KEYS:
            if folded in seen:
                raise EventError("E-DUPKEY", f"two keys of one object read `{folded}`")
            seen.add(folded)


def is_odd(key: str) -> bool:
    """Return whether an ASCII key is a guarded one, spelt in another way."""
    return key not in GUARDED_KEYS and key.strip().casefold() in GUARDED_KEYS


def _fold(key: str) -> str:
    if not key.isascii():
        from unicodedata import category, normalize  # rare: hosts name their keys in ASCII

        key = "".join(char for char in normalize("NFKC", key) if category(char) not in ("Cf", "Mn", "Cc"))
    return key.strip().casefold()

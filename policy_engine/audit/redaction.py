"""Replace every secret of a record by a mark and cut long texts; `altered` says which of both happened.

The mark has a keyed digest, so that equal secrets can be recognised and none recovered: the key is of this
installation, 32 random bytes beside the log. What goes to the host is never touched. Imported by the hook path only
when a record shows a sign of a secret, or is long.
"""

from __future__ import annotations

from _blake2 import blake2b

from policy_engine.audit.secret_names import CHOSEN, STRONG, strength
from policy_engine.audit.secret_signs import may_hold_secret
from policy_engine.audit.secrets_in_text import Finder, finder, looks_chosen
from policy_engine.state.private_key import read_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

TEXT_CHARS = 1 << 16  # of one text
RECORD_CHARS = 1 << 20  # of all texts; when they are used up, the rest of a record keeps a few characters each
_LEAST = 64
_BEYOND = 1 << 13  # characters after the cut that are looked at, for a secret that the cut would halve
_MARK = "‹redacted"
_TELLING, _MOST = 8, 256  # characters of a secret that is sought elsewhere in the record, and how many are
_SHOWN = 12  # characters of the digest


def redacted(record: dict[str, Any], salt: str) -> dict[str, Any]:
    """Return the record as it may be kept; `salt` is the path of the key."""
    work = _Redaction(salt)
    redacted_record: dict[str, Any] = work.elsewhere(work.walk(record))
    if work.altered:
        redacted_record["altered"] = sorted(work.altered)
    return redacted_record


def redacted_text(text: str, salt: str) -> str:
    """Return the text as it may be kept."""
    return text if not may_hold_secret(text.encode("utf-8", "backslashreplace")) else str(_Redaction(salt).walk(text))


def _is_named(key: str, value: Any) -> bool:
    """Return whether a key says that its value is a secret."""
    power = strength(key)
    return power == STRONG or (
        power == CHOSEN and type(value) in (str, int) and looks_chosen(str(value).encode("utf-8", "backslashreplace"))
    )


class _Redaction:
    """One record's."""

    def __init__(self, salt: str) -> None:
        self.altered: set[str] = set()
        self._known: dict[str, str] = {}  # secrets that are long enough to be told from a word, and their marks
        self._salt_path = salt
        self._salt: bytes | None = None
        self._left = RECORD_CHARS
        try:
            self._finder: Finder | None = finder()
        except ImportError:
            self._finder = None

    def walk(self, value: Any, secret: bool = False) -> Any:
        """Return the value without secrets; `secret`: the name above says that it is one. At most EVENT_DEPTH deep."""
        kind = type(value)
        if kind is str:
            return self._hidden(value) if secret else self._text(value)
        if kind is dict:
            named = self._names_secret(value)
            return {
                self._text(key): self.walk(below, secret or _is_named(key, below) or (named and key == "value"))
                for key, below in value.items()
            }
        if kind is list or kind is tuple:
            return self._items(value, secret)
        if secret and (kind is int or kind is float):
            return self._hidden(str(value))
        return value

    def elsewhere(self, value: Any) -> Any:
        """Return the value without the secrets that were found somewhere in it: a rule may say a part of a command."""
        kind = type(value)
        if kind is str:
            for secret, mark in self._known.items():
                value = value.replace(secret, mark)
            return value
        if kind is dict and self._known:
            return {key: self.elsewhere(below) for key, below in value.items()}
        return [self.elsewhere(below) for below in value] if kind is list and self._known else value

    @staticmethod
    def _names_secret(value: dict[str, Any]) -> bool:
        """`{"name": "TOKEN", "value": "…"}`."""
        name = value.get("name") or value.get("key")
        return type(name) is str and "value" in value and strength(name) == STRONG

    def _items(self, items: Any, secret: bool) -> list[Any]:
        items_out, follows = [], False
        for item in items:
            items_out.append(self.walk(item, secret or follows))
            # `["--password", "…"]`
            follows = type(item) is str and item[:1] == "-" and "=" not in item and strength(item) == STRONG
        return items_out

    def _hidden(self, text: str) -> str:
        if self._finder is not None and self._finder.is_variable(text.encode("utf-8", "backslashreplace")):
            return self._text(text)
        return self._mark(text)

    def _text(self, text: str) -> str:
        limit = min(TEXT_CHARS, max(self._left, _LEAST))
        self._left -= min(len(text), limit)
        cut = ""
        if len(text) > limit:
            cut = f"‹cut: {len(text) - limit} characters›"
            self.altered.add("cut")
        window = text[: limit + _BEYOND]
        data = window.encode("utf-8", "backslashreplace")
        if not (self._finder.may_hold(data) if self._finder is not None else may_hold_secret(data)):
            return text[:limit] + cut if cut else text
        if self._finder is None:
            self.altered.add("redacted")
            return f"‹withheld: {len(text)} characters›"
        end = len(text[:limit].encode("utf-8", "backslashreplace")) if cut else len(data)
        parts, at = [], 0
        for start, stop in self._finder.spans(data):
            if start >= end:
                break
            parts += [
                data[at:start].decode("utf-8", "replace"),
                self._mark(data[start:stop].decode("utf-8", "replace")),
            ]
            at = stop
        parts.append(data[at : max(at, end)].decode("utf-8", "replace"))
        return "".join(parts) + cut

    def _mark(self, secret: str) -> str:
        if secret.startswith(_MARK) and secret.endswith("›"):
            return secret
        self.altered.add("redacted")
        bare = secret.rstrip(",;)]}").strip("\"'\\").encode("utf-8", "backslashreplace")
        salt = self._key()
        mark = f"{_MARK}:{blake2b(bare, key=salt, digest_size=16).hexdigest()[:_SHOWN]}›" if salt else f"{_MARK}›"
        text = bare.decode("utf-8", "backslashreplace").strip("([{")
        if len(text) >= _TELLING and len(self._known) < _MOST and not text.isalpha() and " " not in text:
            self._known[text] = mark
        return mark

    def _key(self) -> bytes:
        """Return the key of this installation, empty if it cannot be had: then the mark says nothing of the secret."""
        if self._salt is None:
            try:
                self._salt = read_key(self._salt_path)
            except OSError:
                self._salt = b""
        return self._salt

"""Find secrets without a name in UTF-8 text: random-looking words, and what URLs carry.

A token is a prefix and a tail of random letters and digits; identifiers change between capitals, small letters and
digits less often, digests and ids have one case. Only used when a record shows a sign of a secret.
"""

from __future__ import annotations

from itertools import pairwise

from policy_engine.audit.secret_signs import IDENTIFIERS, is_random

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    Span = tuple[int, int]

RUN = r"[A-Za-z0-9]{20,}"
URL = r"""[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s"'<>\\`{}|]+"""
_ALONE = 32  # characters of a random word without a prefix
_TOKEN = 16  # of a part of a URL that is one
_DIGESTS = (b"sha1-", b"sha256-", b"sha384-", b"sha512-", b"h1:", b"sha1:", b"sha256:", b"sha512:", b"base64,")
_BESIDE = b"_-"
# what stands before a secret in the path of a URL
_HOOKS = frozenset(
    b"webhook webhooks hook hooks catch incomingwebhook key keys token tokens secret invite invites bot v2 v3".split()
)
# parameters of a URL that carry one, whatever it looks like
_SIGNATURES = frozenset(
    b"sig signature x-amz-signature x-goog-signature x-amz-credential x-amz-security-token hmac pin otp code".split()
)


def random_words(pattern: Any, anywhere: Any, data: bytes) -> Iterator[Span]:
    """Yield words of letters and digits that are drawn by lot, with a prefix or long."""
    for start, end in matches(pattern, anywhere, data):
        if not is_random(data[start:end]):
            continue
        before = data[max(start - 24, 0) : start]
        prefix = _prefix(before)
        if before.endswith(_DIGESTS) or prefix in IDENTIFIERS or before[: len(before) - len(prefix)].endswith(b"/"):
            continue
        if end - start >= _ALONE or prefix[:1].isalnum():
            yield start, _whole(data, end)


def parts_of_urls(pattern: Any, anywhere: Any, data: bytes) -> Iterator[Span]:
    """Yield users, passwords, segments and parameters of URLs that are secrets."""
    for start, end in matches(pattern, anywhere, data):
        at = start + data[start:end].find(b"://") + 3
        cut = min(place for place in (data.find(b"?", at, end), data.find(b"#", at, end), end) if place >= 0)
        segments = data[at:cut].split(b"/")
        name, mark, _ = segments[0].rpartition(b"@")
        if mark and _opaque(name.partition(b":")[0]):
            yield at, at + len(name)
        at += len(segments[0]) + 1
        hooked = b"hook" in segments[0]
        for before, segment in pairwise(segments):
            low = before.lower()
            hooked = hooked or low in _HOOKS or segment.startswith(b"private-")
            bare = segment.rpartition(b"@")[2] if hooked else segment
            if is_random(bare) if not hooked else _opaque(bare):
                yield at, at + len(segment)
            at += len(segment) + 1
        yield from _parameters(data, cut, end)


def _parameters(data: bytes, at: int, end: int) -> Iterator[Span]:
    for part in data[at:end].replace(b"?", b"&").replace(b"#", b"&").replace(b";", b"&").split(b"&"):
        name, mark, value = part.partition(b"=")
        if mark and (
            (name.lower() in _SIGNATURES and len(value) >= 6 and any(48 <= byte < 58 for byte in value))
            or any(is_random(word) for word in value.replace(b"%", b"-").replace(b"_", b"-").split(b"-"))
        ):
            yield at + len(name) + 1, at + len(part)
        at += len(part) + 1


def matches(pattern: Any, anywhere: Any, data: bytes, group: int = 0) -> Iterator[Span]:
    """Yield where a compiled pattern, or a group of it, stands; what was looked at is not looked at again."""
    at = 0
    while True:
        match = pattern(anywhere, data, at, len(data))
        if match[0][0] < 0:
            return
        at = max(match[0][1], at + 1)
        if match[group][0] >= 0:
            yield match[group]


def _opaque(word: bytes) -> bool:
    """Return whether a word is long, and no word of a language: digits or many capitals are among its letters."""
    digits, capitals = sum(48 <= byte < 58 for byte in word), sum(65 <= byte < 91 for byte in word)
    odd = digits >= 2 or len(word) // 3 <= capitals < len(word) - len(word) // 3
    return len(word) >= _TOKEN and odd and len(word) > digits and b"." not in word


def _prefix(before: bytes) -> bytes:
    """Return what stands before a word without a blank: letters, digits, `_`, `-` and `.`."""
    at = len(before)
    while at and (before[at - 1 : at].isalnum() or before[at - 1] in b"_-."):
        at -= 1
    return before[at:]


def _whole(data: bytes, end: int) -> int:
    """Return the end of a token of which this is the end of one run: `_` and `-` stand in many."""
    while data[end : end + 1] and (data[end] in _BESIDE or data[end : end + 1].isalnum()):
        end += 1
    return end

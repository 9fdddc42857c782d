"""Tell whether a value under a name is a secret. Only imported when a record shows a sign of one."""

from __future__ import annotations

# any value is a secret; one that a person may have chosen is; one that looks drawn by lot is; none is
STRONG, CHOSEN, WEAK, NONE = 3, 2, 1, 0

_WORDS = (
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "pwd",
    "secret",
    "token",
    "credential",
    "authorization",
    "cookie",
)
_PARTS = frozenset(("pw", "pin", "pincode", "psw", "otp", "totp", "dsn", "signature"))
"""Words that are secrets as a part of a name, and mean nothing within a word (`pinned`, `mapping`)."""
# what a name may end in that only speaks about a secret
_ABOUT = frozenset(
    """
    file files path paths dir folder url uri endpoint name names id ids ttl type types count counts limit limits length
    len expiry expires expiration expired izer izers ize ized izing ization less manager store provider policy policies
    field fields label hint prompt usage budget window stdin reset required class kind version format size index scope
    scopes regex pattern error var helper generator validator rotation strength min max used only per ly
    """.split()
)
# what a key may be that is none of a lock
_KEYS = frozenset(
    """
    public pub primary foreign sort partition cache hot mon tur don object group map dict lookup translation row item
    column composite unique natural surrogate registry arrow function modifier shortcut json yaml config option feature
    idempotency issue project order bucket routing message field state query route path tab enter host known
    """.split()
)
_KEY_OF = (
    "api", "access", "secret", "private", "signing", "sign", "encryption", "encrypt", "auth", "account", "service",
    "master", "license", "session", "storage", "deploy", "client", "consumer", "subscription", "admin", "shared",
    "hmac", "aes", "jwt", "webhook", "app", "bot", "ssh", "gpg", "instrumentation", "functions", "rsa",
)  # fmt: skip


def strength(name: str) -> int:
    """STRONG for `PGPASSWORD`, `client_secret`, `--api-key`; WEAK for a key of anything; NONE for `token_count`."""
    low = name.lower().strip("-_.")
    for word in _WORDS:
        at = low.rfind(word)
        if at >= 0 and not _about(low[at + len(word) :]):
            return WEAK if low.endswith("tokens") else STRONG  # which are mostly counted
    if _is_pass(low):
        return STRONG
    parts = low.rstrip("0123456789_-.").replace("-", "_").replace(".", "_").split("_")
    last = parts[-2] if parts[-1] == "code" and len(parts) > 1 else parts[-1]
    if last in _PARTS or name.endswith(("Pin", "Pw", "Otp")):
        return CHOSEN
    if low.endswith(("mnemonic", "seed_phrase", "seedphrase", "recovery_phrase")):
        return STRONG
    bare = low.rstrip("0123456789_-")
    return _key(bare[:-3].rstrip("_-. "), name) if bare[-3:] == "key" else NONE


def _about(tail: str) -> bool:
    last = tail.replace("-", "_").replace(".", "_").rsplit("_", 1)[-1].strip("0123456789")
    return last in _ABOUT or tail.strip("_-.") in _ABOUT


def _is_pass(low: str) -> bool:
    bare = low.rstrip("0123456789_-")
    if bare[-4:] not in ("pass", "pswd") and not bare.endswith(("passw", "auth")):
        return False
    if bare.endswith("auth"):
        return bare in ("_auth", "auth", "npm_auth", "basic_auth", "http_auth", "proxy_auth", "registry_auth")
    return not bare.endswith(("bypass", "compass", "trespass", "surpass", "multipass"))


def _key(head: str, name: str) -> int:
    last = head.replace("-", "_").replace(".", "_").replace(" ", "_").rsplit("_", 1)[-1]
    if last in _KEYS:
        return NONE
    if last.endswith(_KEY_OF) or (last and name.isupper()):
        return STRONG
    return WEAK

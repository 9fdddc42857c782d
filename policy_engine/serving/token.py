"""The secret of the HTTP door: a file of this user, made once; and whether a header shows it."""

from __future__ import annotations

import base64
import hmac
import os
import secrets

from policy_engine.model.errors import ConfigurationError
from policy_engine.state.own_file import PRIVATE, Unsafe, open_own

FILE = "token"


def token(handle: int) -> str:
    """The token in the engine's open folder, made if there is none. Raises ConfigurationError if it is not private."""
    try:
        new = os.open(FILE, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600, dir_fd=handle)
    except FileExistsError:
        pass
    else:
        with os.fdopen(new, "w") as file:
            file.write(secrets.token_urlsafe(32))
    try:
        with os.fdopen(open_own(FILE, others=PRIVATE, folder=handle)) as file:
            text = file.read().strip()
    except Unsafe as why:
        raise ConfigurationError(
            f"the token is not private ({why.strerror}): remove it, and a new one is made"
        ) from None
    except OSError as error:
        raise ConfigurationError(f"the token cannot be read: {(error.strerror or '').lower()}") from None
    if len(text) < 20:
        raise ConfigurationError("the token's file holds no token: remove it, and a new one is made")
    return text


def bears(header: str, expected: str) -> bool:
    """Return whether an `Authorization` header carries the token as such."""
    kind, _, value = header.partition(" ")
    return kind.lower() == "bearer" and hmac.compare_digest(value.strip().encode(), expected.encode())


def knows(header: str, expected: str) -> bool:
    """The same, or as the password that a browser asks for; only for what changes nothing.

    A browser adds that password to whatever another site makes it send.
    """
    kind, _, value = header.partition(" ")
    if kind.lower() != "basic":
        return bears(header, expected)
    try:
        password = base64.b64decode(value, validate=True).partition(b":")[2]
    except ValueError:
        return False
    return hmac.compare_digest(password, expected.encode())

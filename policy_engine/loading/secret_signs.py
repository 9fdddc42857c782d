"""Bytes of a record → whether it may hold a secret: the cheap question before the dear one. Imported by the hook path.

Whatever redaction.py replaces shows one of these signs; most records show none, and are written as they are.
"""

from __future__ import annotations

# in lower case, of names and of programs that are given a password by an option of one letter
_FOLDED = (
    b"passw", b"passp", b"passc", b"pass=", b"pass:", b"pass ", b'pass"', b"pass'", b"pass\\", b"pass>", b"pass_",
    b"pass-", b"pass1", b"pwd", b"secret", b"token", b"credential", b"_key", b"-key", b"apikey", b"accesskey",
    b"privatekey", b"key=", b"key:", b'key"', b"key'", b"key\\", b"key ", b"key>", b"authorization", b"cookie",
    b"bearer", b"curl", b"wget", b"http ", b"https ", b"xh ", b"mysql", b"mariadb", b"sshpass", b"redis-cli", b"mongo",
    b"ldap", b"smbclient", b"sqlcmd", b"7z", b"zip ", b" login", b"chpasswd", b"sudo -s", b"--stdin", b"slack.com",
    b"private key",
)  # fmt: skip
# as they are, of formats of tokens
_EXACT = (
    b"AKIA", b"ASIA", b"ABIA", b"ACCA", b"A3T", b"ghp_", b"gho_", b"ghu_", b"ghs_", b"ghr_", b"github_pat_", b"glp",
    b"gld", b"glr", b"gls", b"glc", b"glf", b"gli", b"gla", b"glo", b"glw", b"xox", b"xapp-", b"npm_", b"pypi-",
    b"sk-", b"sk_", b"rk_", b"AIza", b"ya29.", b"GOCSPX", b"eyJ", b"-----BEGIN", b"hf_", b"dop_v1", b"shp", b"SG.",
    b"lin_api", b"whsec_", b"AGE-", b":AA", b"dckr_", b"ATATT", b"xai-", b"r8_", b"nvapi-", b"tskey-", b"hvs.",
    b"hvb.", b"figd_",
)  # fmt: skip


def may_hold_secret(data: bytes) -> bool:
    """False only if redaction would find nothing."""
    for sign in _EXACT:
        if sign in data:
            return True
    folded = data.lower()
    for sign in _FOLDED:
        if sign in folded:
            return True
    return b"://" in data and b"@" in data

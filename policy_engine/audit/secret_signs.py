"""Bytes of a record → whether it may hold a secret: the cheap question before the dear one. Imported by the hook path.

Whatever redaction.py replaces shows one of these signs; most records show none, and are written as they are.
"""

from __future__ import annotations

# of names and of programs that are given a password by an option of one letter, in lower case. The first of a row
# stands in all the others, which are only sought if it is there; alone it is the sign.
_FOLDED = (
    (b"pass", b"passw", b"passp", b"passc", b"pass=", b"pass:", b"pass ", b'pass"', b"pass'", b"pass\\", b"pass>",
     b"pass_", b"pass-", b"pass1"),
    (b"key", b"_key", b"-key", b"apikey", b"accesskey", b"privatekey", b"private key", b"key=", b"key:", b'key"',
     b"key'", b"key\\", b"key ", b"key>"),
    (b"pwd",), (b"secret",), (b"token",), (b"credential",), (b"authorization",), (b"cookie",), (b"bearer",), (b"curl",),
    (b"wget",), (b"http", b"http ", b"https "), (b"xh ",), (b"mysql",), (b"mariadb",), (b"redis-cli",), (b"mongo",),
    (b"ldap",), (b"smbclient",), (b"sqlcmd",), (b"7z",), (b"zip ",), (b" login",), (b"sudo -s",), (b"--stdin",),
    (b"slack.com",),
)  # fmt: skip
# of formats of tokens, as they are
_EXACT = (
    (b"gl", b"glp", b"gld", b"glr", b"gls", b"glc", b"glf", b"gli", b"gla", b"glo", b"glw"),
    (b"gh", b"ghp_", b"gho_", b"ghu_", b"ghs_", b"ghr_"),
    (b"hv", b"hvs.", b"hvb."),
    (b"k-", b"sk-"), (b"k_", b"sk_", b"rk_"),
    (b"AKIA",), (b"ASIA",), (b"ABIA",), (b"ACCA",), (b"A3T",), (b"github_pat_",), (b"xox",), (b"xapp-",), (b"npm_",),
    (b"pypi-",), (b"AIza",), (b"ya29.",), (b"GOCSPX",), (b"eyJ",), (b"-----BEGIN",), (b"hf_",), (b"dop_v1",), (b"shp",),
    (b"SG.",), (b"lin_api",), (b"whsec_",), (b"AGE-",), (b":AA",), (b"dckr_",), (b"ATATT",), (b"xai-",), (b"r8_",),
    (b"nvapi-",), (b"tskey-",), (b"figd_",),
)  # fmt: skip


def may_hold_secret(data: bytes) -> bool:
    """False only if redaction would find nothing."""
    return _shows(data, _EXACT) or _shows(data.lower(), _FOLDED) or (b"://" in data and b"@" in data)


def _shows(data: bytes, rows: tuple[tuple[bytes, ...], ...]) -> bool:
    for row in rows:
        if row[0] in data:
            if len(row) == 1:
                return True
            for sign in row[1:]:
                if sign in data:
                    return True
    return False

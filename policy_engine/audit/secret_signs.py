"""Tell whether the bytes of a record may hold a secret: the cheap question before the dear one.

Whatever redaction.py replaces shows one of these signs; most records show none, and are written as they are. Imported
by the hook path.
"""

from __future__ import annotations

# of names and of programs that are given a password by an option of one letter, in lower case. The first of a row
# stands in all the others, which are only sought if it is there; alone it is the sign.
FOLDED = (
    (b"pass", b"passw", b"passp", b"passc", b"pass=", b"pass:", b"pass ", b'pass"', b"pass'", b"pass\\", b"pass>",
     b"pass_", b"pass-", b"pass1"),
    (b"key", b"_key", b"-key", b"apikey", b"accesskey", b"privatekey", b"private key", b"key=", b"key:", b'key"',
     b"key'", b"key\\", b"key ", b"key>"),
    (b"pwd",), (b"secret",), (b"token",), (b"credential",), (b"authorization",), (b"cookie",), (b"bearer",), (b"curl",),
    (b"wget",), (b"http", b"http ", b"https "), (b"xh ",), (b"mysql",), (b"mariadb",), (b"redis-cli",), (b"mongo",),
    (b"ldap",), (b"smbclient",), (b"sqlcmd",), (b"7z",), (b"zip ",), (b" login",), (b"sudo -s",), (b"--stdin",),
    (b"slack.com",), (b"pw=",), (b"pw ",), (b"pin=",), (b"pin:",), (b"pin ",), (b"pin\"",), (b"pin_",), (b"pincode",),
    (b"otp=",), (b"otp ",), (b"phrase",), (b"mnemonic",), (b"sig=",), (b"signature",), (b"hook",), (b"vault",),
    (b"gh secret",), (b"gh variable",), (b"keyvault",), (b"ssm ",), (b"from-literal",), (b"identified by",),
    (b"net use",), (b"openssl",), (b"twine",), (b"useradd",), (b"usermod",), (b"signtool",), (b"http-basic",),
    (b"expect",), (b"env add",), (b"luks",), (b"config:set",), (b"lftp",), (b"ncftp",), (b"snow",), (b"ssh-keygen",),
    (b"unlock",), (b"login: ",), (b"<<<",), (b"_auth",), (b"define(",), (b"net user",), (b"psk",), (b"jdbc:",),
)  # fmt: skip
# of formats of tokens, as they are
EXACT = (
    (b"gl", b"glp", b"gld", b"glr", b"gls", b"glc", b"glf", b"gli", b"gla", b"glo", b"glw"),
    (b"gh", b"ghp_", b"gho_", b"ghu_", b"ghs_", b"ghr_"),
    (b"hv", b"hvs.", b"hvb."),
    (b"k-", b"sk-"), (b"k_", b"sk_", b"rk_"),
    (b"AKIA",), (b"ASIA",), (b"ABIA",), (b"ACCA",), (b"A3T",), (b"github_pat_",), (b"xox",), (b"xapp-",), (b"npm_",),
    (b"pypi-",), (b"AIza",), (b"ya29.",), (b"GOCSPX",), (b"eyJ",), (b"-----BEGIN",), (b"hf_",), (b"dop_v1",), (b"shp",),
    (b"SG.",), (b"lin_api",), (b"whsec_",), (b"AGE-",), (b":AA",), (b"dckr_",), (b"ATATT",), (b"xai-",), (b"r8_",),
    (b"nvapi-",), (b"tskey-",), (b"figd_",), (b"dapi",), (b"sbp_",), (b"key-",), (b"SK",), (b"doo_v1",),
    (b"dor_v1",), (b"rubygems_",), (b"PMAK-",), (b"pmak-",), (b"NRAK-",), (b"NRJS-",), (b"NRII-",), (b"NRRA-",),
    (b"dt0",), (b"sntry",), (b"tvly-",),
    (b"fc-",), (b"crat_",), (b"cio",), (b"HRKU-",), (b"pat-na",), (b"pat-eu",), (b"xkeysib-",), (b"xsmtpsib-",),
    (b"v1.0-",), (b"A3-",), (b"lsv2_",), (b"st.",), (b"fm1",), (b"fm2",), (b"ntn_",), (b"glsa_",), (b"rdme_",),
    (b"ops_ey",),
    (b"EAA",), (b"pul-",), (b"bkua_",), (b"LTAI",), (b"AIPA",), (b"AIDA",), (b"AROA",), (b"ANPA",), (b"ANVA",),
    (b"AGPA",), (b"APKA",), (b"ASCA",), (b"sgp_",), (b"ATBB",), (b"BBDC-",), (b"1//0",), (b"access_token$",),
    (b"FLWSEC",), (b"amzn.",), (b"rzp_",), (b"sdk-",), (b"mob-",), (b"api-",), (b"CLOJARS_",), (b"oy2",),
)  # fmt: skip

IDENTIFIERS = tuple(
    b"""
    toolu_ srvtoolu_ call_ msg_ req_ run_ resp_ rs_ fc_ chatcmpl- thread_ asst_ session_ agent_ task_ job_ batch_ file-
    prj_ proj_ team_ dpl_ org- org_ user_ usr_ cus_ sub_ price_ prod_ pi_ ch_ evt_ acct_ in_ vs_
    """.split()
)
"""What stands before random letters that name a call, a message or a request."""
_LONGEST = max(map(len, IDENTIFIERS)) + 1
RANDOM = 20  # characters of a word that can be told to be drawn by lot
_LETTERS = bytes(byte if chr(byte).isalnum() and byte < 128 else 32 for byte in range(256))
_CASES = bytes(
    97 if 97 <= byte < 123 else 65 if 65 <= byte < 91 else 48 if 48 <= byte < 58 else 32 for byte in range(256)
)


def may_hold_secret(data: bytes) -> bool:
    """False only if redaction would find nothing."""
    return _shows(data, EXACT) or _shows(data.lower(), FOLDED) or b"://" in data or has_random(data)


def is_random(word: bytes) -> bool:
    """Detect a word of small letters, capitals and digits that change as often as if they were drawn by lot."""
    kinds = word.translate(_CASES)
    if len(word) < RANDOM or b" " in kinds or not (b"a" in kinds and b"A" in kinds and b"0" in kinds):
        return False
    return sum(kinds[at] != kinds[at + 1] for at in range(len(kinds) - 1)) * 5 > len(kinds) * 2


def has_random(data: bytes) -> bool:
    """Detect a word that looks drawn by lot and is no identifier."""
    words = {word for word in data.translate(_LETTERS).split() if len(word) >= RANDOM}
    return any(is_random(word) and not _identifies(word, data) for word in words)


def _identifies(word: bytes, data: bytes) -> bool:
    """Detect a word that stands only behind what begins an identifier, at the start of a text."""
    at = data.find(word)
    while at >= 0:
        _, quote, prefix = data[max(at - _LONGEST, 0) : at].rpartition(b'"')
        if not quote or prefix not in IDENTIFIERS:
            return False
        at = data.find(word, at + 1)
    return True


def _shows(data: bytes, rows: tuple[tuple[bytes, ...], ...]) -> bool:
    for row in rows:
        if row[0] in data:
            if len(row) == 1:
                return True
            for sign in row[1:]:
                if sign in data:
                    return True
    return False

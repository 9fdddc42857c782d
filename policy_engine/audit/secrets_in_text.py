"""Find secrets in UTF-8 text by their format, the name they stand under, or the option before them.

RE2 finds in linear time. A name is matched without its value, and a value once: what was looked at is not looked at
again, so the whole is linear too. Only used when a record shows a sign of a secret.
"""

from __future__ import annotations

from policy_engine.audit.secret_names import CHOSEN, NONE, STRONG, strength
from policy_engine.audit.secret_shapes import RUN, URL, matches, parts_of_urls, random_words
from policy_engine.audit.secret_signs import EXACT, FOLDED, RANDOM, has_random
from policy_engine.model.regexes import extension

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    Span = tuple[int, int]

# a sign, in lower case, and the form of what it begins: a form is only sought where its sign stands
_FORMATS = r"""
    akia         AKIA[A-Z0-9]{16}
    asia         ASIA[A-Z0-9]{16}
    abia         ABIA[A-Z0-9]{16}
    acca         ACCA[A-Z0-9]{16}
    a3t          A3T[A-Z0-9]{17}
    ghp_         ghp_[A-Za-z0-9]{16,}
    gho_         gho_[A-Za-z0-9]{16,}
    ghu_         ghu_[A-Za-z0-9]{16,}
    ghs_         ghs_[A-Za-z0-9]{16,}
    ghr_         ghr_[A-Za-z0-9]{16,}
    github_pat_  github_pat_[A-Za-z0-9_]{16,}
    glpat-       glpat-[A-Za-z0-9_.=-]{16,}
    glptt-       glptt-[A-Za-z0-9_.=-]{16,}
    gldt-        gldt-[A-Za-z0-9_.=-]{16,}
    glrt-        glrt-[A-Za-z0-9_.=-]{16,}
    glsoat-      glsoat-[A-Za-z0-9_.=-]{16,}
    glcbt-       glcbt-[A-Za-z0-9_.=-]{16,}
    glft-        glft-[A-Za-z0-9_.=-]{16,}
    glimt-       glimt-[A-Za-z0-9_.=-]{16,}
    glagent-     glagent-[A-Za-z0-9_.=-]{16,}
    gloas-       gloas-[A-Za-z0-9_.=-]{16,}
    glffct-      glffct-[A-Za-z0-9_.=-]{16,}
    glwt-        glwt-[A-Za-z0-9_.=-]{16,}
    xox          xox[a-z]-[A-Za-z0-9-]{8,}
    xapp-        xapp-[A-Za-z0-9-]{8,}
    npm_         npm_[A-Za-z0-9]{30,}
    pypi-a       pypi-A[A-Za-z0-9_-]{16,}
    sk-          (?:\b|\\[nrt])(?:sk-[A-Za-z0-9_-]{16,})
    aiza         AIza[A-Za-z0-9_-]{30,}
    ya29.        ya29\.[A-Za-z0-9_.-]{16,}
    gocspx-      GOCSPX-[A-Za-z0-9_-]{16,}
    k_           [sr]k_(?:live|test)_[A-Za-z0-9]{8,}
    whsec_       whsec_[A-Za-z0-9+/=]{16,}
    eyj          eyJ[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]{6,}(?:\.[A-Za-z0-9_-]*)?
    -----begin   (?s:-----BEGIN[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----.*?(?:-----END[A-Z0-9 ]{0,60}-----|\z))
    hf_          (?:\b|\\[nrt])hf_[A-Za-z0-9]{30,}
    dop_v1_      dop_v1_[a-f0-9]{60,}
    shp          shp(?:at|ca|pa|ss|ua)_[a-fA-F0-9]{32,}
    sg.          (?:\b|\\[nrt])SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}
    lin_api_     lin_api_[A-Za-z0-9]{30,}
    age-secret-  AGE-SECRET-KEY-1[0-9A-Z]{50,}
    :aa          [0-9]{8,10}:AA[A-Za-z0-9_-]{30,}
    dckr_pat_    dckr_pat_[A-Za-z0-9_-]{20,}
    atatt3       ATATT3[A-Za-z0-9_=-]{20,}
    xai-         (?:\b|\\[nrt])xai-[A-Za-z0-9]{20,}
    r8_          (?:\b|\\[nrt])r8_[A-Za-z0-9]{30,}
    nvapi-       nvapi-[A-Za-z0-9_-]{20,}
    tskey-       tskey-[A-Za-z0-9-]{16,}
    hvs.         (?:\b|\\[nrt])hvs\.[A-Za-z0-9_-]{20,}
    hvb.         (?:\b|\\[nrt])hvb\.[A-Za-z0-9_-]{20,}
    figd_        figd_[A-Za-z0-9_-]{20,}
    dapi         dapi[a-f0-9]{32}(?:-\d)?
    glsa_        glsa_[A-Za-z0-9_]{20,}
    sbp_         sbp_[a-f0-9]{40}
    key-         (?:\b|\\[nrt])key-[a-f0-9]{32}\b
    sk           \bSK[a-f0-9]{32}\b
    do           do[or]_v1_[a-f0-9]{60,}
    rubygems_    rubygems_[a-f0-9]{48}
    ntn_         ntn_[A-Za-z0-9]{40,}
    pmak-        (?:PMAK|pmak)-[a-f0-9]{24}-[a-f0-9]{34}
    nr           NR(?:AK|JS|II|RA)-[A-Za-z0-9-]{19,}
    dt0          dt0[a-z]\d\d\.[A-Z0-9]{24}\.[A-Z0-9]{60,}
    sntry        sntry[a-z]_[A-Za-z0-9_=+/-]{40,}
    tvly-        tvly-[A-Za-z0-9-]{20,}
    fc-          \bfc-[a-f0-9]{32}\b
    crat_        crat_[A-Za-z0-9]{20,}
    cio          \bcio[A-Za-z0-9]{32,}
    hrku-        HRKU-[A-Za-z0-9_-]{36,}
    pat-         \bpat-(?:na|eu)\d-[a-f0-9-]{36}
    xkeysib-     xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}
    xsmtpsib-    xsmtpsib-[a-f0-9]{64}-[A-Za-z0-9]{16}
    v1.0-        \bv1\.0-[a-f0-9]{24}-[a-f0-9]{100,}
    a3-          \bA3-[A-Z0-9]{6}-[A-Z0-9]{11}-(?:[A-Z0-9]{5}-?){3}
    lsv2_        lsv2_[a-z]{2}_[a-f0-9]{32}_[a-f0-9]{10}
    st.          \bst\.[a-f0-9]{8}\.[a-f0-9]{8}\.[a-f0-9]{32}
    fm           \bfm[12][ar]?_[A-Za-z0-9+/=,_-]{40,}
    eaa          \bEAA[A-Za-z0-9]{40,}
    pul-         \bpul-[a-f0-9]{40}
    bkua_        bkua_[a-f0-9]{40}
    ltai         \bLTAI[A-Za-z0-9]{12,}
    a            \bA(?:IPA|IDA|ROA|NPA|NVA|GPA|PKA|SCA)[A-Z0-9]{16}\b
    sgp_         sgp_(?:[a-f0-9]{16}_)?[a-f0-9]{40}
    atbb         \bATBB[A-Za-z0-9]{28,}
    bbdc-        BBDC-[A-Za-z0-9+/=]{40,}
    1//0         \b1//0[A-Za-z0-9_-]{40,}
    access_token access_token\$[a-z]+\$[a-z0-9]{16}\$[a-f0-9]{32}
    flwsec       FLWSEC(?:K|K_TEST)?-[A-Za-z0-9-]{20,}
    amzn.        amzn\.(?:mws|rest)\.[a-f0-9-]{36}
    rzp_         rzp_(?:live|test)_[A-Za-z0-9]{14,}
    sdk-         \bsdk-[a-f0-9]{8}-(?:[a-f0-9]{4}-){3}[a-f0-9]{12}
    mob-         \bmob-[a-f0-9]{8}-(?:[a-f0-9]{4}-){3}[a-f0-9]{12}
    api-         \bapi-[a-f0-9]{8}-(?:[a-f0-9]{4}-){3}[a-f0-9]{12}
    clojars_     CLOJARS_[a-f0-9]{40,}
    oy2          \boy2[a-z0-9]{43}\b
    jdbc:        jdbc:[a-z:]*[a-z]:[^\s/@:]+/[^\s@]+@
    rdme_        rdme_[A-Za-z0-9]{40,}
    ops_ey       ops_ey[A-Za-z0-9_=-]{60,}
    slack.com    hooks\.slack\.com/[A-Za-z0-9/_-]{10,}
    ://          ://[^\s/?#@:'"<>\\]*:[^\s/?@'"<>]*@
    ://          ://[^\s/?#@:'"<>\\]{16,}@
    bearer       (?i:\bbearer)\s+[A-Za-z0-9._~+/=-]{8,}
    digest       (?i:\bdigest)\s+[a-z]+=[^\r\n]*
"""
# what is written to the standard input of a program that reads a password there; sought where one of the words stands
_STDIN = r"(?:--password-stdin|--with-token|sudo\s+-S|--stdin|chpasswd)"
_STDIN_WORDS = (b"-stdin", b"--with-token", b"sudo", b"chpasswd")
_PIPED = rf"(?:echo|printf)\s[^|\r\n]+\|[^\r\n]*{_STDIN}|{_STDIN}[^\r\n]*<<<[^\r\n]*"
_WORD = (
    "(?:pass|pswd|pwd|pw|pin|otp|secret|token|credential|authorization|cookie|auth|key|dsn|signature|mnemonic|phrase)"
)
_NAME = rf"(?i:([A-Z0-9_.-]*{_WORD}[A-Z0-9_.-]*))"
_ASSIGNED = _NAME + r"""["'\\\]]{0,9}\s{0,3}(?:=>|[:=!]{1,3}|>)\s{0,3}"""
_OPTION = rf"""(?:^|[\s"'\\,(\[=]|\\[nrt])-{{1,2}}{_NAME}["'\\]{{0,9}}(?:,\s?|\s{{1,4}})"""
_SET = rf"""(?i:\b(?:set|setx|setenv|env|config|put|setvar)\s[^\r\n]{{0,60}}?){_NAME}["']?\s"""
_SAID = r"(?i)\b(password|passphrase|passwd|pwd|api key)\s+(?:is|was)\s"
# `{"name": "DB_PASSWORD", "value": "…"}` within a text
_Q, _GAP = r"""["'\\]{1,4}""", r"\s{0,3}"
_NAMED_VALUE = rf"(?i)\b(?:name|key){_Q}{_GAP}:{_GAP}{_Q}{_NAME}{_Q}{_GAP},{_GAP}{_Q}value{_Q}{_GAP}:{_GAP}"
# what is named by a word before it in prose; only what looks like a password, for people also write about them
_TOLD = (
    r"(?i)\b(?:password|passphrase|passwd|passcode|pwd|pin|token|secret|api key|access key)(?: code)?"
    r"(?:\s{1,3}(?:is|was|will be|of|to|for))?:?\s{1,3}[\"'`(]?([^\s\"'`\\]{4,})"
)
# lines of a program of which a part is a secret by its place, up to the end of the simple command
_REST = r"[^|;&\r\n]"
_PLACED = (
    ("vault", rf"vault\s+(?:kv\s+(?:put|patch)|write)\s+(?:-\S+\s+)*\S+\s+({_REST}+)"),
    ("login", r"\b(?:vault|cargo|infisical|snyk auth|doppler)\s+login\s+(?:-\S+\s+)*([^\s|;&-][^\s|;&]+)"),
    ("_auth", r"\b_auth\s*=\s*[\"']?([^\s\"']{8,})"),
    ("define(", r"(?i)\bdefine\(\s*[\"']\w*(?:PASS|SECRET|TOKEN|KEY|PWD|SALT)\w*[\"']\s*,\s*[\"']([^\"']+)"),
    ("<(", r"(?i)--?[\w-]*(?:pass|secret|token|key)[\w-]*(?:=|\s+)<\(\s*(?:echo|printf)\s+(?:-\S+\s+|%s\s+)*([^)]+)\)"),
    ("net user", r"\bnet\s+user\s+\S+\s+([^\s/]\S*)"),
    ("psk", r"(?i)\bpsk\s*[=:]\s*[\"']?([^\s\"']{8,})"),
    ("htpasswd", rf"\bhtpasswd\s+(?:-\S+\s+)*-[a-zA-Z]*b[a-zA-Z]*\s+({_REST}+)"),
    ("from-literal", r"--from-literal(?:=|\s+)[\"']?[\w.-]+=(\S+)"),
    ("secrets config:set", rf"\b(?:secrets\s+(?:set|import)|config:set)\s+({_REST}+)"),
    ("/user:", r"\bnet\s+use\b[^\r\n]*/user:\S+\s+([^\s/]\S*)"),
    ("--secret", r"\bset\s[^|;&\r\n]*--secret\s+\S+\s+([^\s|;&-][^\s|;&]*)"),
    ("unlock", r"\bbw\s+unlock\s+([^\s|;&-][^\s|;&]*)"),
    ("ogin redentials", r"\b(?:[Ll]ogin|[Cc]redentials):\s\S+\s/\s(\S+)"),
    ("wpa_passphrase", r"\bwpa_passphrase\s+\S+\s+(\S+)"),
    ("http-basic", r"\bhttp-basic\.\S+\s+\S+\s+(\S+)"),
    ("<<<", r"(?i)(?:secret|pass|luks|login|sign-?in|unlock|env\s+add)[^|;&\r\n]*<<<\s*([^\s|;&]+)"),
    (
        "password identified PASSWORD IDENTIFIED",
        r"(?i)\b(?:password|identified\s+(?:with\s+\S+\s+)?by)\s+\\?'([^'\\]+)",
    ),
    ("password", r"(?i)\b(?:login|user(?:name)?|connect)\s+\S+\s+password\s+(\S+)"),
    ("expect", r"\bsend\s+\\*[\"']([^\"'\\]+)"),
    ("put-parameter keyvault secretsmanager", r"\s--(?:value|secret-string)(?:=|\s+)(\S+)"),
)
_PHRASE = r"[a-z]{3,8}(?:\s[a-z]{3,8}){11,23}"
_PHRASE_WORDS = (b"phrase", b"mnemonic", b"seed", b"wallet")
# a shell word, a string of a program or of JSON (also within a string), or what follows a header's name
_VALUE = (
    r"""(?s)(?:\\"(?:'\\"'\\"'|[^"\\]|\\\\(?:\\\\|\\"|[^\\"]))*\\"|\\'[^']*'?|\\{2,}["'][^\r\n]*"""
    r"""|(?:[^\s'"\\]|\\[^"']|\\"|'[^']*(?:'|\z)|"(?:[^"\\]|\\.)*(?:"|\z))+)"""
)
_MEMBER = r"""("(?:'"'"'|[^"\\]|\\.)*")\s{0,4}(?:[,}\]]|\z)"""
_HEADER = r"""[^"'\\\r\n]+"""
# programs that are given a password by an option of one letter; `:` asks for a colon in the value
_OPTIONS = (
    ("curl wget http https xh", r"\s(?:-[a-zA-Z]{0,8}[uUa]|--user|--proxy-user|--auth)(?:=|\s{0,4})", ":"),
    ("curl", r"\s(?:-b|--cookie)(?:=|\s{0,4})", "="),
    ("openssl", r"\s-[kK]\s{1,4}", ""),
    ("plink pscp psftp", r"\s-pw\s{1,4}", ""),
    ("ssh-keygen", r"\s-[NP]\s{1,4}", ""),
    ("add-generic-password add-internet-password", r"\s-w\s{1,4}", ""),
    ("lftp", r"\s-u\s{0,4}", ","),
    ("twine useradd usermod snowflake snowsql ncftp", r"\s-p\s{1,4}", ""),
    ("signtool", r"\s/p\s{1,4}", ""),
    ("secret variable", r"\bgh\s+(?:secret|variable)\s+set\s[^|;&\r\n]*?\s(?:-b|--body)(?:=|\s{0,4})", ""),
    ("mysql mariadb 7z", r"\s-p", ""),
    ("sshpass mongo login", r"\s-p\s{0,4}", ""),
    ("sqlcmd zip", r"\s-P\s{0,4}", ""),
    ("redis-cli", r"\s-a\s{1,4}", ""),
    ("ldap", r"\s-w\s{0,4}", ""),
    ("smbclient rpcclient", r"\s-U\s{0,4}", "%"),
)
_VARIABLE = r"""(?:\$[A-Za-z_]\w*|\$\{[A-Za-z_]\w*(?:\}|:?\?[^}]*\}?)|\$\{\{[^}]*\}\}|%\w+%|:)+"""
_EMPTY = frozenset((b"", b"null", b"none", b"None", b"true", b"false", b"True", b"False", b"nil", b"undefined"))
_TYPES = frozenset((b"str", b"string", b"bytes", b"int", b"bool", b"any", b"String", b"Any"))
_WEAK_LEAST = 16
_WEAK_WINDOW = 256
_QUOTES = b"\"'\\"


class Finder:
    """The compiled patterns. Raises ImportError if RE2 is not there."""

    def __init__(self) -> None:
        self._re2 = extension()
        self._anywhere = self._re2.RE2.Anchor.UNANCHORED
        self._here = self._re2.RE2.Anchor.ANCHOR_START
        rows = [line.split(None, 1) for line in _FORMATS.splitlines() if line]
        self._formats = [(sign.encode(), form) for sign, form in rows]
        self._sought: dict[str, Any] = {}
        self._signs, self._run_of_letters = self._compile(_any_sign()), self._compile(f"[0-9A-Za-z]{{{RANDOM}}}")
        self._piped = self._compile(_PIPED)
        self._names = [(self._compile(pattern), kind) for pattern, kind in _NAMED]
        self._value, self._header = self._compile(_VALUE), self._compile(_HEADER)
        self._member = self._compile(_MEMBER)
        self._run, self._url = self._compile(RUN), self._compile(URL)
        self._told, self._phrase = self._compile(_TOLD), self._compile(_PHRASE)
        self._placed = [(words.encode().split(), self._compile(text)) for words, text in _PLACED]
        self._variable = self._compile(rf"(?:{_VARIABLE})\z")
        self._options = [(words.encode().split(), self._compile(text), mark.encode()) for words, text, mark in _OPTIONS]

    def may_hold(self, data: bytes) -> bool:
        """As `may_hold_secret`, in one look at the data, for whoever asks more than once."""
        if self._signs(self._anywhere, data, 0, len(data))[0][0] >= 0:
            return True
        return self._run_of_letters(self._anywhere, data, 0, len(data))[0][0] >= 0 and has_random(data)

    def spans(self, data: bytes) -> list[Span]:
        """Return where secrets stand, sorted, none touching another."""
        folded = data.lower()
        forms = "|".join(form for sign, form in self._formats if sign in folded)
        spans: list[Span] = []
        if forms:
            if forms not in self._sought:
                self._sought[forms] = self._compile(forms)
            spans = self._formatted(self._sought[forms], data)
        if any(word in data for word in _STDIN_WORDS):
            spans += self._formatted(self._piped, data)
        for pattern, kind in self._names:
            self._named(pattern, kind, data, spans)
        for words, pattern, mark in self._options:
            if any(word in data for word in words):
                self._optional(pattern, mark, data, spans)
        for words, pattern in self._placed:
            if any(word in data for word in words):
                spans += self._valued(matches(pattern, self._anywhere, data, 1), data)
        spans += [span for span in matches(self._told, self._anywhere, data, 1) if looks_chosen(data[slice(*span)])]
        spans += random_words(self._run, self._anywhere, data)
        if b"://" in data:
            spans += self._valued(parts_of_urls(self._url, self._anywhere, data), data)
        spans += self._phrases(data, folded)
        return _merged(spans)

    def _valued(self, spans: Iterable[Span], data: bytes) -> list[Span]:
        """Return those that are no variables."""
        return [span for span in spans if span[0] < span[1] and not self.is_variable(data[slice(*span)])]

    def _phrases(self, data: bytes, folded: bytes) -> list[Span]:
        """Return the words of a wallet: where they are called so, or are all that is said."""
        named = any(word in folded for word in _PHRASE_WORDS)
        whole = data.strip(b" \t\r\n\"'").count(b" ") in (11, 14, 17, 20, 23)
        if not named and not whole:
            return []
        bare = data.strip(b" \t\r\n\"'")
        return [
            (start, end)
            for start, end in matches(self._phrase, self._anywhere, data)
            if data[start:end] == bare
            or (named and any(w in folded[max(start - 60, 0) : start] for w in _PHRASE_WORDS))
        ]

    def is_variable(self, value: bytes) -> bool:
        """Return whether the value only names what holds the secret, or is empty."""
        bare = value.rstrip(b",;)]}").strip(_QUOTES)
        if bare in _EMPTY or bare in _TYPES or not bare.strip(b"*x.<>-"):
            return True
        if bare[:2] == b"$(" or bare[:1] == b"`":
            return not bare.lstrip(b"$(` ").startswith((b"echo", b"printf"))
        return bool(self._variable(self._here, bare, 0, len(bare))[0][0] >= 0)

    def _compile(self, text: str) -> Any:
        options = self._re2.RE2.Options()
        options.log_errors = False
        options.max_mem = 64 << 20
        regex = self._re2.RE2(text.encode(), options)
        if not regex.ok():
            raise ImportError(regex.error())
        return regex.Match

    def _formatted(self, pattern: Any, data: bytes) -> list[Span]:
        spans: list[Span] = []
        at = 0
        while True:
            start, end = pattern(self._anywhere, data, at, len(data))[0]
            if start < 0:
                return spans
            at = max(end, at + 1)
            start, end = _core(data, start, end)
            if not self.is_variable(data[start:end]):
                spans.append((start, end))

    def _named(self, pattern: Any, kind: int, data: bytes, all_spans: list[Span]) -> None:
        at = 0
        while True:
            spans = pattern(self._anywhere, data, at, len(data))
            if spans[0][0] < 0:
                return
            (_, end), (start, name_end) = spans[0], spans[1]
            name = data[start:name_end].decode("utf-8", "replace")
            at = max(name_end, at + 1)
            power = STRONG if kind == _CERTAIN else strength(name)
            if power == NONE or data[start - 2 : start] + data[name_end : name_end + 2] == b"${:?":
                continue
            if kind == _BEFORE_BLANK and data[end : end + 1] == b"-":
                continue
            if data[end : end + 1] in (b"{", b"["):
                continue  # a part of a structure, whose own names are looked at
            span = self._value_at(data, end, name, power)
            if span is not None:
                all_spans.append(span)
                at = max(at, span[1])

    def _value_at(self, data: bytes, at: int, name: str, power: int) -> Span | None:
        low, strong = name.lower(), power == STRONG
        header = low.endswith(("authorization", "cookie"))
        while header and data[at : at + 1] in (b'"', b"'", b"\\"):
            at += 1
        limit = len(data) if strong else min(len(data), at + _WEAK_WINDOW)
        start, end = (self._header if header else self._value)(self._here, data, at, limit)[0]
        if data[at : at + 1] == b'"' == data[max(at - 8, 0) : at].rstrip(b" \t\n:")[-1:]:
            member = self._member(self._here, data, at, limit)[1]
            start, end = member if member[0] >= 0 else (start, end)
        if start < 0:
            return None
        value = data[start:end]
        if self.is_variable(value.rpartition(b" ")[2] if header else value):
            return None
        if value[:2] == b"$(" or value[:1] == b"`":
            end = _closed(data, end)
        if not strong and not (looks_chosen(value) if power == CHOSEN else _looks_secret(value)):
            return None
        return start, end

    def _optional(self, pattern: Any, mark: bytes, data: bytes, spans: list[Span]) -> None:
        at = 0
        while True:
            _, end = pattern(self._anywhere, data, at, len(data))[0]
            if end < 0:
                return
            at = end
            start, stop = self._value(self._here, data, end, len(data))[0]
            if start >= 0:
                value = data[start:stop]
                if mark in value and value[:1] not in (b"-", b"+") and not self.is_variable(value):
                    spans.append((start, stop))
                at = max(stop, at)


_ORDINARY, _BEFORE_BLANK, _CERTAIN = range(3)  # before a blank a value that begins like an option is none
_NAMED = (
    (_ASSIGNED, _ORDINARY),
    (_OPTION, _BEFORE_BLANK),
    (_SET, _BEFORE_BLANK),
    (_SAID, _CERTAIN),
    (_NAMED_VALUE, _ORDINARY),
)


def _core(data: bytes, start: int, end: int) -> tuple[int, int]:
    """Return what of a match is the secret: of a URL the password, of `echo … | …` what it writes."""
    text = data[start:end]
    if text[:3] == b"://":
        return start + 3 + text[3:].find(b":") + 1, end - 1
    if text[:5] in (b"echo ", b"print"):
        return start + text.find(b" ") + 1, start + text.find(b"|")
    return start, end


def _closed(data: bytes, at: int) -> int:
    """Return the end of `$(echo …)`, where a value would end at its blank."""
    ends = [place for place in (data.find(b")", at), data.find(b"`", at), data.find(b"\n", at)) if place >= 0]
    return min(ends) + 1 if ends else len(data)


def looks_chosen(value: bytes) -> bool:
    """Return whether a word of prose looks like a password, and not like one more word."""
    bare = value.strip(_QUOTES).partition(b'"')[0].partition(b"'")[0].rstrip(b".,;:!?)]}\\")
    digits = sum(48 <= byte < 58 for byte in bare)
    if any(mark in bare for mark in (b"/", b"(", b"$")):
        return False
    return digits == len(bare) >= 6 or (len(bare) >= 6 and 0 < digits < len(bare))


def _looks_secret(value: bytes) -> bool:
    bare = value.strip(_QUOTES)
    digits = sum(bare.count(b"%d" % number) for number in range(10))
    return len(bare) >= _WEAK_LEAST and 0 < digits < len(bare) and b"/" not in bare and b"." not in bare


def _merged(spans: list[Span]) -> list[Span]:
    spans.sort()
    merged: list[Span] = []
    for start, end in spans:
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _any_sign() -> str:
    """Return the pattern of all signs of secret_signs.py."""
    forms = [[sign for row in rows for sign in row[len(row) > 1 :]] for rows in (EXACT, FOLDED)]
    exact, folded = ("|".join(map(_quoted, signs)) for signs in forms)
    return f"{exact}|(?i:{folded})|://"


def _quoted(sign: bytes) -> str:
    return "".join(char if char.isalnum() or char in "_ <" else f"\\{char}" for char in sign.decode("ascii"))


_finders: list[Finder] = []


def finder() -> Finder:
    """Return the compiled patterns, which are made once in a process. Raises ImportError if RE2 is not there."""
    if not _finders:
        _finders.append(Finder())
    return _finders[0]

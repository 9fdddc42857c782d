"""Parse a network address in any notation: its parts, and the kind of place it leads to.

Browsers, `curl` and the resolver of the system take many spellings for one place: numbers in decimal, octal and hex,
IPv4 within IPv6, names with a dot at the end, a user before the host, schemes around another. On the hook path.
"""

from __future__ import annotations

KINDS = ("public", "private", "loopback", "link-local", "metadata", "file", "other")
"""What an address leads to; `other` is none of a host: `data:`, `about:`."""
_AROUND = ("view-source:", "jar:", "blob:", "filesystem:", "feed:", "url:", "wyciwyg:")
_HOSTLESS = ("data", "about", "javascript", "mailto", "tel", "urn", "chrome", "cid", "mid")
_METADATA = (
    "169.254.169.254", "169.254.170.2", "169.254.170.23", "100.100.100.200", "192.0.0.192", "168.63.129.16",
    "fd00:ec2::254", "fd00:ec2::23", "fd20:ce::254",
)  # fmt: skip
_METADATA_NAMES = ("metadata", "metadata.google.internal", "metadata.goog", "instance-data", "metadata.tencentyun.com")
_LOOPBACK_NAMES = ("localhost", "localhost.localdomain", "ip6-localhost", "ip6-loopback", "lvh.me", "localtest.me")
_SPELLED = (".nip.io", ".sslip.io", ".xip.io")  # names that stand for the number within them
_MOST_CHARS = 8_192


class Address:
    """The scheme ("" if none is written), the host in its plain form, the port (0: none), the path and the kind."""

    __slots__ = ("scheme", "host", "port", "path", "kind")

    def __init__(self, scheme: str, host: str, port: int, path: str, kind: str) -> None:
        self.scheme = scheme
        self.host = host
        self.port = port
        self.path = path
        self.kind = kind


def without_wrappers(text: str) -> str:
    """Return an address without the schemes around it: `view-source:file:///x` is `file:///x`."""
    while text[:12].lower().startswith(_AROUND):
        text = text.partition(":")[2]
    return text


def parse_address(text: str) -> Address:
    """Return the parts of an address; one without a scheme is taken to begin with its host."""
    text = "".join(char for char in text[:_MOST_CHARS] if char > " " and char != "\x7f").replace("\\", "/")
    text = without_wrappers(text)
    scheme, rest = _scheme(text)
    if scheme in ("file", "local-file"):
        return Address(scheme, "", 0, "/" + rest.lstrip("/").removeprefix("localhost/"), "file")
    if scheme in _HOSTLESS:
        return Address(scheme, "", 0, rest, "other")
    rest = rest.lstrip("/")
    end = min((place for mark in "/?#" if (place := rest.find(mark)) >= 0), default=len(rest))
    host, port = _host(rest[:end].rpartition("@")[2])
    return Address(scheme, host, port, rest[end:].lstrip("/"), _kind(host))


def _scheme(text: str) -> tuple[str, str]:
    scheme, colon, rest = text.partition(":")
    plain = scheme.replace("+", "").replace("-", "").replace(".", "")
    named = colon and plain.isalnum() and scheme[:1].isalpha()
    if named and (rest[:1] == "/" or scheme.lower() in (*_HOSTLESS, "file")):
        return scheme.lower(), rest
    return "", text


def _host(text: str) -> tuple[str, int]:
    """The host without its port, in small letters, unquoted, in plain characters, without dots at its end."""
    if "%" in text:
        from urllib.parse import unquote

        text = unquote(text)
    if not text.isascii():
        from unicodedata import normalize

        text = normalize("NFKC", text).replace("\u3002", ".")
    if text[:1] == "[":
        host, _, port = text[1:].partition("]")
        port = port.lstrip(":")
    else:
        host, _, port = text.rpartition(":") if text.count(":") == 1 else (text, "", "")
    host = host.lower().partition("%")[0].rstrip(".")
    for ending in _SPELLED:
        if host.endswith(ending):
            parts = host.removesuffix(ending).replace("-", ".").split(".")
            host = ".".join(parts[-4:])
    return _number(host) or host, int(port) if port.isascii() and port.isdigit() and len(port) < 6 else 0


def _number(host: str) -> str:
    """A host that is a number of IPv4 in any of its spellings, with dots; "" for any other."""
    parts = host.split(".")
    values: list[int] = []
    for part in parts:
        digits = part[2:] if part[:2] == "0x" else part
        base = 16 if part[:2] == "0x" else 8 if len(part) > 1 and part[0] == "0" else 10
        try:
            values.append(int(digits or "0", base) if len(part) < 16 and "_" not in part and part.isalnum() else -1)
        except ValueError:
            return ""
    if not 0 < len(values) < 5 or min(values) < 0 or any(value > 255 for value in values[:-1]):
        return ""
    whole = values[-1]
    for place, value in enumerate(values[:-1]):
        whole += value << (24 - 8 * place)
    if values[-1] >= 256 ** (5 - len(values)):
        return ""
    return ".".join(str(whole >> shift & 255) for shift in (24, 16, 8, 0))


def _kind(host: str) -> str:
    if host in _METADATA_NAMES or host in _METADATA or host.endswith(".metadata.google.internal"):
        return "metadata"
    if host in _LOOPBACK_NAMES or host.endswith((".localhost", ".lvh.me", ".localtest.me")):
        return "loopback"
    if not (host[:1].isdigit() or ":" in host):
        return "private" if host.endswith((".internal", ".local", ".lan", ".home.arpa")) else "public"
    from ipaddress import IPv4Address, ip_address

    try:
        number = ip_address(host)
    except ValueError:
        return "public"
    if number.version == 6:
        within = number.ipv4_mapped or number.sixtofour
        whole = int(number)
        if within is None and (whole >> 32 in (0, 0x64FF9B << 64) and whole > 1):
            within = IPv4Address(whole & 0xFFFFFFFF)  # `::a.b.c.d`, and the prefix of NAT64
        if within is not None:
            return _kind(str(within))
    if str(number) in _METADATA:
        return "metadata"
    if number.is_loopback or number.is_unspecified:
        return "loopback"
    return "link-local" if number.is_link_local else "private" if number.is_private else "public"


def leads_to(word: str, kind: str) -> bool:
    """Return whether a word of a command, or the value of an option in it, is an address of that kind."""
    value = word.partition("=")[2] if word[:1] == "-" else word
    return any(text and parse_address(text).kind == kind for text in (word, value))

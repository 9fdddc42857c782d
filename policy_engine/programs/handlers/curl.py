"""`curl`: fetches from and sends to the network; `http` and its kin share it."""

from __future__ import annotations

from itertools import pairwise

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import FOLDER, is_known
from policy_engine.programs.base import Arguments, EffectAnalysis, find_program, stays_here
from policy_engine.programs.requests import has_credential, tell_request

_WRITES = ("-o", "--output", "-D", "--dump-header", "-c", "--cookie-jar", "--trace", "--trace-ascii", "--stderr",
           "--etag-save", "--hsts", "--alt-svc")  # fmt: skip
_READS = ("-T", "--upload-file", "-K", "--config", "--cert", "--key", "-E", "--cacert", "--netrc-file",
          "--etag-compare")  # fmt: skip
_DATA = ("-d", "--data", "--data-binary", "--data-ascii", "--data-urlencode", "--json", "-F", "--form", "-b",
         "--cookie", "-H", "--header")  # fmt: skip
_BODIES = ("-d", "--data", "--data-raw", "--data-binary", "--data-ascii", "--data-urlencode", "--json")
_LOGINS = ("-u", "--user", "--oauth2-bearer", "-n", "--netrc", "--netrc-file", "--aws-sigv4", "-E", "--cert")
_NETRC = ("-n", "--netrc", "--netrc-optional", "--netrc-file")
_DETOURS = ("-x", "--proxy", "-K", "--config", "--resolve", "--connect-to", "--preproxy", "--socks4", "--socks4a",
            "--socks5", "--socks5-hostname")  # fmt: skip

_UNSURE = "which options `curl` is given is not known"
_SETTINGS_BYTES = 65_536
_REGISTRIES = ("/legacy", "/api/v1/gems", "/api/v1/crates", "/releases/", "/api/v2/package", "/maven2", "/hex.pm/api",
               "/v2/repositories", "/-/npm/", "/content/repositories")  # fmt: skip
_REGISTRY_HOSTS = ("upload", "uploads", "registry", "npm", "rubygems", "crates")


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    analysis.does("network")
    arguments = _configured(arguments, analysis)
    urls = arguments.operands + arguments.values("--url")
    method = (arguments.last("-X", "--request") or "").upper()
    if method in ("DELETE", "PATCH", "PUT", "POST") or not is_known(method):
        for url in urls:
            _forge(url, analysis)
    detoured = bool(arguments.unsure) or arguments.has(*_DETOURS)
    asks = "GET" if not method and arguments.has("-G", "--get") else method
    named = arguments.has(*_LOGINS) or has_credential(arguments.values("-H", "--header"))
    bodies = arguments.values(*_BODIES, "-F", "--form")
    tell_request(asks, bodies, urls, analysis, detoured, named)
    if arguments.has(*_NETRC) and arguments.has("-v", "--verbose", "--trace", "--trace-ascii"):
        analysis.does("discloses")  # the headers with what it logs in with
    given = arguments.has("-T", "--upload-file", "--data-raw", *_DATA[:8])
    given = given or any(value[:1] == "@" for value in arguments.values("-H", "--header"))
    if given and (detoured or not stays_here(urls)):
        analysis.does("sends")
    if not all(map(is_known, urls)):
        _values_of_hidden(urls, analysis)
    if method not in ("GET", "HEAD") and (method or (given and not arguments.has("-G", "--get"))):
        for url in urls:
            _registry(url, analysis)
    paths: list[PathValue] = []
    settings = f"{analysis.env['CURL_HOME']}/.curlrc" if analysis.env.get("CURL_HOME") else ""
    if settings and (analysis.has(settings) or analysis.written(analysis.path(settings, "read"))):
        analysis.doubt("*", f"what `{settings[:80]}` configures is not known")
    folder = arguments.last("--output-dir") or ""
    for name, value in arguments.options:
        if value is None:
            continue
        if name in _WRITES and value != "-":
            paths.append(analysis.path(f"{folder}/{value}" if folder else value, "write"))
        elif name in _READS and value not in ("-", "."):
            paths.append(analysis.path(value, "read"))
        elif name in _DATA:
            paths += [analysis.path(text, "read") for text in _files(name, value)]
    if arguments.has("-O", "--remote-name", "--remote-name-all", "-J"):
        for url in urls:
            name = url.partition("?")[0].rstrip("/").rpartition("/")[2]
            paths.append(analysis.path(f"{folder}/{name}" if folder else name, "write"))
    for url in urls:
        if url.lower().startswith("file:"):
            place = url[5:].lstrip("/").removeprefix("localhost/")
            paths.append(analysis.path(place if place.startswith(FOLDER) else f"/{place}", "read"))
    return paths


def _configured(arguments: Arguments, analysis: EffectAnalysis) -> Arguments:
    """Return the words with those of the files that `-K` names, in which an option stands on each line."""
    words: list[str] = []
    for place in arguments.values("-K", "--config"):
        file = analysis.path(place, "read")
        text = analysis.feed if place == "-" else analysis.text_in(file, _SETTINGS_BYTES)
        if text is None or not is_known(text):
            analysis.doubt("*", f"what `{place[:80]}` configures is not known")
            continue
        for line in (line.strip() for line in text.split("\n")):
            name = line.partition("=")[0].partition(":")[0].split()[:1] if line[:1] not in ("", "#") else []
            value = line[len("".join(name)) :].lstrip(" \t=:")
            if value[:1] == '"':
                value = value[1:].partition('"')[0] if "\\" not in value else value[1:].replace('\\"', '"').rstrip('"')
            words += [one if one[:1] == "-" else f"--{one}" for one in name] + [value] * bool(value)
    program = find_program("curl")
    if not words or program is None:
        return arguments
    given = program.arguments(tuple(words))
    made = arguments.of([*arguments.operands, *given.operands])
    made.options = [*arguments.options, *given.options]
    return made


def _values_of_hidden(words: list[str], analysis: EffectAnalysis) -> None:
    """Tell what is touched if words that are not known are options, and what looks like no address their values."""
    marked = [text for word in words for text in _files("-F" if "=" in word else "-d", word) if is_known(word)]
    behind = [word for before, word in pairwise(words) if not is_known(before) and is_known(word)]
    values = [word for word in behind if "@" not in word and not _is_address(word)]
    analysis.paths += [analysis.may_touch(text, _UNSURE, "read") for text in marked + values]
    analysis.paths += [analysis.path(text, "write") for text in values]  # as behind `-o`
    if marked or values or "@-" in behind:
        analysis.doubt("sends", _UNSURE)


def _is_address(word: str) -> bool:
    """Return whether a word may be meant as an address: it has a scheme, or begins as the name of a machine does."""
    host = word.partition("/")[0]
    return "://" in word or ":" in host or host == "localhost" or ("/" in word and "." in host.strip("."))


def _forge(url: str, analysis: EffectAnalysis) -> None:
    """The API of a forge can move, delete and unprotect branches."""
    for mark in ("/git/refs/heads/", "/repository/branches/", "/protected_branches/", "/branches/"):
        if mark in url:
            branch = url.partition(mark)[2].partition("?")[0].removesuffix("/protection")
            if is_known(branch):
                analysis.rewrites(branch.replace("%2F", "/"))
            else:
                analysis.may_rewrite("which branch the address names is not known")
            return


def _registry(url: str, analysis: EffectAnalysis) -> None:
    """Return where packages and releases are kept."""
    place = url.partition("?")[0].lower()
    host = place.partition("://")[2].partition("/")[0].partition(".")[0]
    if host in _REGISTRY_HOSTS or any(mark in place for mark in _REGISTRIES) or place.rstrip("/").endswith("/releases"):
        analysis.does("publishes")
    elif place.endswith("/dispatches"):
        analysis.doubt("publishes", "the workflow may publish")


def _files(name: str, value: str) -> list[str]:
    """Return what `@` marks as a file in a value; one that begins with what is not known may be marked."""
    if name in ("-F", "--form") and (is_known(value) or "=" in value):
        value = value.partition("=")[2]
    if not is_known(value[:1]):
        return [value]
    if name in ("-F", "--form"):
        return [value[1:].partition(";")[0]] if value[:1] in ("@", "<") and value[1:] != "-" else []
    if name in ("-b", "--cookie"):
        return [value] if "=" not in value and value else []
    if name == "--data-urlencode" and "@" in value and "=" not in value.partition("@")[0]:
        return [value.partition("@")[2]]
    return [value[1:]] if value[:1] == "@" and value[1:] != "-" else []

"""Say whether code of any language tells a client of another machine to delete something, whatever library it is of.

A client is what a statement makes of an address elsewhere: a literal one, a variable of the environment that is called
like one, or a client made before. The verb is the name of the call. On the hook path where code names such a verb.
"""

from __future__ import annotations

from policy_engine.model.addresses import leads_to
from policy_engine.programs._rows import VERBS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_VERBS = frozenset(VERBS["code_destroys"].split())
_ALONE = frozenset(VERBS["code_alone"].split())  # which say enough without a noun, of what a client gave
_OWN = frozenset(VERBS["code_own"].split())
_STATES = ("on", "is", "has", "can", "before", "after", "will", "did")
_SPACED = str.maketrans(dict.fromkeys("_.-", " "))
_ADDRESS = r"[a-zA-Z][\w+.-]{0,19}://[^\s'\"`/]+"
_KEYED = (
    r"\b(?i:host\w*|\w*servers?|brokers?|endpoints?|\w*nodes?|contact_?points|addr\w*|\w*url|\w*uri|ip)['\"]?\s*"
    r"(?:=>|[:=,])\s*\[?\s*[bf]?['\"`]([\w.-]+(?::\d+)?)['\"`]"
)
_PLACED = (
    r"['\"]([A-Za-z][\w-]*(?:\.[\w-]+)*:\d{2,5}|\d+(?:\.\d+){3}(?::\d+)?|(?:[a-z0-9-]+\.){2,}[a-z]{2,})(?:/\w*)?['\"]"
)
_VARIABLE = (
    r"(?:environ(?:\.get\(|\[)|getenv\(|process\.env(?:\.|\[)|\bENV(?:\.fetch\(|\[|\{)|Deno\.env\.get\()\s*['\"]?"
    r"(\w*(?:URL|URI|HOST|SERVER|BROKER|ENDPOINT|DSN|ADDR|NODES|CLUSTER)\w*)"
)
_NAMES = (
    r"\b([A-Za-z_]\w*)\s*=(?![=>~])|\bas\s+(\w+)\b|\bfor\b[\s(]*(?:(?:await|const|let|var|my)\b[\s(]*){0,2}\$?(\w+)\s+(?:in|of)\b"
    r"|\|\s*(\w+)\s*\||\b(\w+)\)?\s*=>|\bforeach\s*\(.*\bas\s+\$(\w+)"
    r"|^\s*\$?(\w+)(?:->|\.)(?:add|set|open|connect)\w*\("
)
_FETCHES = (
    r"\b(?:fetch|urlopen|urlretrieve|get_json|file_get_contents|(?:requests|httpx|axios|https?|HTTParty|Faraday|got|ky"
    r"|Net::HTTP|URI)\.(?:get|head|post|put|patch|options|open|request)\w*|(?:read|load|fetch|download|scan)_\w+)\s*\("
    r"|\.(?:get|head|post|put|patch|options|request)\(\s*[rf]?['\"`]https?://"
)
_HELD = r"\s*(?:await\s+)?(?:new\s+)?(?:[rbf]?['\"`\[{(]|URL\b|URI\b|url\w+\(|parse_url|process\.env|os\.|ENV\b|getenv)"
_TUNNELS = frozenset(VERBS["code_tunnels"].split())
_OPENS = "|".join(VERBS["code_opens"].split())
_METHOD = r"(?:\.|->|::)\s*([A-Za-z_]\w*)[!?]?\s*(\(?)"


def destroys_elsewhere(code: str, language: str, here: Callable[[str], bool]) -> bool:
    """Return whether a client of another machine is told to delete.

    Args:
        code: the text.
        language: who reads it.
        here: tells of a variable of the environment whether its value leads to this machine.
    """
    lowered = code.lower()
    if not any(verb in lowered for verb in _VERBS):
        return False
    import re

    from policy_engine.programs.requests import path_destroys
    from policy_engine.programs.sql import is_emptying

    clients, addresses = dict[str, bool](), set[str]()
    for statement in _statements(code):
        places = list(_places(statement, "localhost" in code or "127.0.0.1" in code, here))
        used = [
            (match.start(), match[0])
            for match in re.finditer(r"[A-Za-z_]\w*", statement)
            if match[0] in clients or match[0] in addresses
        ]
        first = min([*places, *(place for place, _ in used)], default=-1)
        if first < 0:
            continue
        fetches = re.search(_FETCHES, statement)
        told = [(place, clients[name]) for place, name in used if name in clients]
        told += [(place, True) for place in places if not fetches and not re.match(_HELD + "$", statement[:place])]
        if not fetches and any(_tells(match, told, language) for match in re.finditer(_METHOD, statement)):
            return True
        posted = re.findall(r"(?i:\.(?:post|put|patch)\w*\(|(?:post|put)\W+)\s*[rf]?['\"`](\w+://[^'\"`]+)", statement)
        if any(path_destroys(address) and not leads_to(address, "loopback") for address in posted):
            return True
        if told and not fetches and any(map(is_emptying, re.findall(r"['\"`]((?:[^'\"`\\]|\\.)*)['\"`]", statement))):
            return True
        for match in re.finditer(_NAMES, statement):
            name = next(filter(None, match.groups()))
            if match.start() > first and "=" in match[0] and "=>" not in match[0]:
                continue  # an option of the call
            if match[1] and re.match(_HELD, statement[match.end() :]):
                addresses.add(name)
            elif not fetches:
                clients[name] = clients.get(name, False) or not told or not any(one in clients for _, one in used)
    return False


def opens_tunnel(code: str) -> bool:
    """Return whether code loads a library of tunnels to this machine, and opens one."""
    if not any(name in code for name in _TUNNELS):
        return False
    import re

    loaded = re.findall(r"(?:\bimport|\bfrom|require\w*|\buse)\b[\s(\"'{]*@?([\w@/]+)", code)
    if all(_TUNNELS.isdisjoint(one.replace("@", "/").split("/")) for one in loaded):
        return False
    names = "|".join([_OPENS, *re.findall(rf"(\w+)\s*=\s*\w[\w ]*\(['\"]@?(?:{'|'.join(_TUNNELS)})['\"]\)", code)])
    return re.search(rf"(?:\b(?:{names})|require\(['\"][\w@/]+['\"]\))\s*\(", code) is not None


def _tells(match: re.Match[str], told: list[tuple[int, bool]], language: str) -> bool:  # type: ignore[name-defined]  # noqa: F821
    """Return whether a call behind a client tells it to delete."""
    given = [direct for place, direct in told if place < match.start()]
    name = "".join(f"_{char}" if char.isupper() else char for char in match[1]).lower().translate(_SPACED)
    words = name.split()
    called = match[2] or language.startswith(("ruby", "perl"))
    if not given or not called or not _OWN.isdisjoint(words):
        return False
    if words[0] not in _VERBS:  # `queue_purge`
        return words[-1] in _ALONE and words[0] not in _STATES
    if len(words) > 1 or words[0] in _ALONE:
        return True
    after = match.string[match.end() :].lstrip()[:1]
    return given[-1] and bool(match[2]) and after != ")"


def _places(statement: str, local: bool, here: Callable[[str], bool]) -> Iterator[int]:
    """Yield where addresses of other machines stand; `local`: one of this machine stands in the code."""
    import re

    for match in re.finditer(_ADDRESS, statement):
        if not match[0].startswith(("file:", "sqlite", "data:")) and not leads_to(match[0], "loopback"):
            yield match.start()
    for pattern in (_KEYED,) if local else (_KEYED, _PLACED):
        for match in re.finditer(pattern, statement):
            if not leads_to(match[1], "loopback"):
                yield match.start()
    for match in re.finditer(_VARIABLE, statement):
        if not here(match[1]):
            yield match.start()


def _statements(code: str) -> Iterator[str]:
    """Yield pieces of code between semicolons, and between lines where no bracket is open."""
    start, depth, quote, place = 0, 0, "", 0
    while place < len(code):
        char = code[place]
        if quote:
            if char == "\\":
                place += 1
            elif char == quote:
                quote = ""
        elif char in "'\"`":
            quote = char
        elif char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
        if not quote and (char == ";" or (char == "\n" and depth <= 0)):
            yield code[start:place]
            start = place + 1
        place += 1
    yield code[start:]

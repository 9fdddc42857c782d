"""Tell whether a request of `curl` and its kin has a service elsewhere delete or deploy something.

It goes by the method, by verbs in the path and by what a body orders. Imported by the hook path, `re` only for a body
that names a verb.
"""

from __future__ import annotations

from policy_engine.model.partial import is_known
from policy_engine.programs._rows import VERBS
from policy_engine.programs.base import EffectAnalysis, stays_here

_DELETES = ("delete", "destroy", "drop", "remove", "purge")
_DELETING_PLACES = ("_delete_by_query", "/doDelete", "/doWipeOutWorkspace")
_WRITES = ("POST", "PUT", "PATCH")
_VERBS = frozenset((*_DELETES, *"wipe flush truncate terminate obliterate expunge flushall flushdb".split()))
_LONG = ("delete", "destroy", "purge", "truncate", "wipe", "obliterate")  # that may be a part of a word
_DONE = ("d", "r", "rs", "s")  # with which such a word says what was, or who does it: `deleted`
_DEPLOYS = frozenset("deploy deploys deployment deployments redeploy undeploy rollback promote".split())
_HOOKS = ("build-hooks", "build_hooks", "deploy-hooks", "deploy_hooks", "deploy-webhooks")
_LIVE = ("prod", "production", "live", "prd")
_ORDERS = ("action", "op", "operation", "command", "cmd", "method", "do", "act", "verb")
_QUESTIONS = frozenset(VERBS["questions"].split())
"""Parts of paths to which a body is posted that asks, or says what a pull request does too."""
_OF_TESTS = (".test", ".localhost", ".local", ".internal")
_CREDENTIALS = ("authorization", "token", "-key", "api_key", "apikey", "secret", "cookie", "x-auth", "password")
_PROSE = ("body", "text", "message", "content", "title", "description", "comment", "summary", "prompt", "input")


def tell_request(
    method: str,
    bodies: list[str],
    addresses: list[str],
    analysis: EffectAnalysis,
    detoured: bool = False,
    credential: bool = False,
) -> None:
    """Tell the analysis that a request deletes or deploys, or may do so, unless all its addresses lead to this machine.

    Args:
        method: the method, "" if none is named.
        bodies: the texts that it carries.
        addresses: where it goes.
        analysis: takes the effects.
        detoured: where it really goes, other words say.
        credential: it says who asks.
    """
    if stays_here(addresses) and not detoured:
        return
    writes = method.upper() in _WRITES or (not method and bool(bodies))
    places = any(place in address for address in addresses for place in _DELETING_PLACES)
    told = writes and (any(map(path_destroys, addresses)) or any(map(_orders, bodies)))
    if method.upper() == "DELETE" or places or told or any(map(_mutates, bodies)):
        analysis.does("destroys")
    elif not is_known(method) or not all(is_known(body) for body in bodies):
        analysis.doubt("destroys", "what the request says is not known")
    changes = method.upper() in ("PATCH", "PUT") and any(map(_is_of_production, bodies))
    if changes or any(_deploys(address, writes) for address in addresses):
        analysis.does("deploys")
    elif writes and "destroys" not in analysis.words and any(_changes(one, bodies, credential) for one in addresses):
        analysis.doubt("deploys", "the request may change what a service keeps or does for others")


def has_credential(headers: list[str]) -> bool:
    """Return whether one of the headers of a request says who asks, or may do so."""
    return any(
        not is_known(one[:2]) or any(mark in one.partition(":")[0].lower() for mark in _CREDENTIALS) for one in headers
    )


def _changes(address: str, bodies: list[str], credential: bool) -> bool:
    """Return whether what is posted to an address, by one who is known there, is more than a question."""
    _, slashes, rest = address.partition("://")
    host, _, path = (rest if slashes else address).partition("/")
    name = host.rpartition("@")[2].partition(":")[0].lower()
    if not is_known(host) or "." not in name or name.endswith(_OF_TESTS):
        return False
    parts = path.partition("?")[0].lower().split("/")
    asks = not _QUESTIONS.isdisjoint(parts) and not any("mutation" in body for body in bodies)
    return (credential or "@" in host) and not asks


def path_destroys(address: str) -> bool:
    """Return whether the path of an address, or what its query orders, holds a verb that destroys: `/kv/deleterange`,
    `/delete_series`, `?action=purge`.
    """
    path, _, query = address[address.find("://") + 1 :].lstrip("/").partition("?")
    ordered = [pair.partition("=")[2] for pair in query.split("&") if pair.partition("=")[0].lower() in _ORDERS]
    statements = [pair.partition("=")[2] for pair in query.split("&") if pair.partition("=")[0] in ("q", "query")]
    words = _pieces(" ".join([path.partition("/")[2], *ordered]))
    return any(map(_is_verb, words)) or any(map(_is_statement, statements))


def _is_verb(word: str) -> bool:
    begun = next((verb for verb in _LONG if word.startswith(verb)), "")
    return (
        word in _VERBS
        or (bool(begun) and word[len(begun) :] not in _DONE)
        or (word.endswith(_LONG) and not word.startswith("un"))
    )


def _pieces(text: str) -> list[str]:
    """Return the parts of the words of a text in small letters: `bulkDelete-users` holds three."""
    humps = (
        f" {char}" if char.isupper() and before.islower() else char if char.isalnum() else " "
        for before, char in zip(f" {text}", text, strict=False)
    )
    return "".join(humps).lower().split()


def _deploys(address: str, writes: bool) -> bool:
    """Return whether a request to an address deploys, or changes what runs in production: `/deploy/srv-1?key=a`."""
    path, _, query = address[address.find("://") + 1 :].lstrip("/").partition("?")
    parts = path.lower().split("/")[1:]
    hook = "deploy" in parts and query.startswith(("key=", "token=", "secret="))
    before = zip(("", *parts), parts, strict=False)
    live = any(one.startswith("env") and part in _LIVE for one, part in before)
    return hook or (writes and (live or not (_DEPLOYS | {*_HOOKS}).isdisjoint(parts)))


def _is_statement(text: str) -> bool:
    from policy_engine.programs.sql import is_emptying

    return is_emptying(text.replace("+", " ").replace("%20", " ").strip())


def _pairs(body: str) -> list[tuple[str, str]]:
    """Return the names of a body with their texts, as JSON or a form has them."""
    import re

    if body.lstrip()[:1] in ("{", "["):
        return re.findall(r'"([\w-]+)"\s*:\s*\[?\s*"((?:[^"\\]|\\.)*)"', body)
    return [(name, value) for name, _, value in (pair.partition("=") for pair in body.split("&"))]


def _orders(body: str) -> bool:
    """Return whether a body is, or holds, a statement that drops or empties, or names a verb as what is to be done."""
    lowered = body.lower()
    if not any(verb in lowered for verb in _VERBS):
        return False
    import re

    begins = "".join(body.split())[:9].lower()
    return (
        _is_statement(body)
        or bool(re.search(r"(?<![\w-])(?:is[-_]?)?destroy\"?\s*[:=]\s*\"?true", lowered))
        or begins == '{"delete"'
        or any(
            (name.lower() in _ORDERS and any(map(_is_verb, _pieces(value))))
            or (name.lower() not in _PROSE and _is_statement(value))
            for name, value in _pairs(body)
        )
    )


def _is_of_production(body: str) -> bool:
    """Return whether a body names production as the environment that it means."""
    lowered = body.lower()
    return any(word in lowered for word in _LIVE) and any(
        "env" in name.lower() and value.lower() in _LIVE for name, value in _pairs(body)
    )


def _mutates(body: str) -> bool:
    """Return whether a body holds a mutation of GraphQL that deletes, or the element with which Solr does."""
    _, found, rest = body.lower().partition("mutation")
    return body.lstrip()[:8] in ("<delete>", "<delete ") or (
        bool(found) and any(word in rest.partition("}")[0] for word in _DELETES)
    )

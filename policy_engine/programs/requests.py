"""Tell whether a request of `curl` and its kin has a service elsewhere delete something. Imported by the hook path."""

from __future__ import annotations

from policy_engine.model.partial import is_known
from policy_engine.programs.base import EffectAnalysis, stays_here

_DELETES = ("delete", "destroy", "drop", "remove", "purge")
_DELETING_PLACES = ("_delete_by_query", "/doDelete", "/doWipeOutWorkspace")


def tell_deletion(method: str, bodies: list[str], addresses: list[str], analysis: EffectAnalysis) -> None:
    """Tell the analysis that a request deletes, or may do so, unless all its addresses lead to this machine.

    Args:
        method: the method, "" if none is named.
        bodies: the texts that it carries.
        addresses: where it goes.
        analysis: takes the effect.
    """
    if stays_here(addresses):
        return
    places = any(place in address for address in addresses for place in _DELETING_PLACES)
    if method.upper() == "DELETE" or places or any(map(_mutates, bodies)):
        analysis.does("destroys")
    elif not is_known(method) or not all(is_known(body) for body in bodies):
        analysis.doubt("destroys", "what the request says is not known")


def _mutates(body: str) -> bool:
    """Return whether a body holds a mutation of GraphQL that deletes, or the element with which Solr does."""
    _, found, rest = body.lower().partition("mutation")
    return body.lstrip()[:8] in ("<delete>", "<delete ") or (
        bool(found) and any(word in rest.partition("}")[0] for word in _DELETES)
    )

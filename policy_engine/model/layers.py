"""Id of a declaration ↔ the layer that it stands in. Imported by the hook path.

Layers, strongest first: what the engine brings along, the organisation, the user, the outermost repository around this
one, the repository. A lower layer can only tighten: it adds verdicts, and the maximum decides. Each layer is a set of
policies of its own; where layers meet, the ids of all but the repository's carry the layer's name,
`organisation/no-push`, so that no name of one layer means something in another.
"""

from __future__ import annotations

LAYERS = ("builtin", "organisation", "user", "outer", "repository")
BUILTIN, ORGANISATION, USER, OUTER, REPOSITORY = LAYERS
RETAINED = "retained/"
"""After the layer's name, what the id of a declaration begins with that the present policies do not have any more, and
that a session keeps in force because it began with it (hook_process/floor.py)."""
WAIVABLE_FROM = {BUILTIN: (ORGANISATION, USER)}
"""Who, beside the layer itself, may waive its rules."""


def prefix(layer: str) -> str:
    """Return what the ids of a layer begin with."""
    return "" if layer == REPOSITORY else f"{layer}/"


def is_retained(name: str) -> bool:
    """Return whether an id is that of a declaration which a session retains."""
    return name.startswith(RETAINED) or name.partition("/")[2].startswith(RETAINED)


def retained(name: str) -> str:
    """The id under which a session retains the declaration of this id."""
    layer, slash, rest = name.rpartition("/")
    return f"{layer}{slash}{RETAINED}{rest}"


def plain(name: str) -> str:
    """The id of a declaration as its own policy has it."""
    return name.replace(RETAINED, "", 1) if is_retained(name) else name


def layer_of(name: str) -> int:
    """The rank of the layer that an id stands in, 0 the strongest."""
    layer, slash, _ = name.partition("/")
    return LAYERS.index(layer) if slash and layer in LAYERS else len(LAYERS) - 1

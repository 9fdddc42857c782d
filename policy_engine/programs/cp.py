"""`cp`: reads its sources and writes them where they go, into a folder if one is there.

With `-l` it copies nothing: both names are one file from then on, so that its sources count as written.
"""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import FLAG, OPTIONAL, VALUE, Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    paths: list[PathValue] = []
    sources, folder = list(arguments.operands), arguments.last("-t", "--target-directory")
    if folder is None:
        if len(sources) < 2:
            return [scene.path(text, "read") for text in sources]
        target = sources.pop()
        many = len(sources) > 1 or target.endswith("/")
        plain = arguments.has("-T", "--no-target-directory")
        folder = target if not plain and (many or scene.is_folder(scene.path(target, "write"))) else None
        if folder is not None and not target.endswith("/") and not scene.is_folder(scene.path(target, "write")):
            paths.append(scene.path(target, "write"))  # one name that a pattern stood for
    deep = arguments.has("-r", "-R", "-a", "--recursive", "--archive")
    for text in sources:
        source = scene.path(text, "read")
        inside = deep and scene.is_folder(source)
        arrival = target if folder is None else scene.arrival(text, folder)
        if arguments.has("--parents") and folder is not None:
            arrival = f"{folder}/{text}"
        paths.append(source.with_access("read", inside))
        if arguments.has("-l", "--link"):
            paths.append(source.with_access("write", inside))
        paths.append(scene.path(arrival, "write", inside))
    return paths


PROGRAM = Program(
    "cp",
    short="abdfHilLnPpRrsTuvxZ",
    short_values="St",
    long={
        "archive": FLAG, "attributes-only": FLAG, "backup": OPTIONAL, "copy-contents": FLAG, "dereference": FLAG,
        "force": FLAG, "interactive": FLAG, "link": FLAG, "no-clobber": FLAG, "no-dereference": FLAG,
        "no-preserve": VALUE, "no-target-directory": FLAG, "one-file-system": FLAG, "parents": FLAG,
        "preserve": OPTIONAL, "recursive": FLAG, "reflink": OPTIONAL, "remove-destination": FLAG, "sparse": VALUE,
        "strip-trailing-slashes": FLAG, "suffix": VALUE, "symbolic-link": FLAG, "target-directory": VALUE,
        "update": OPTIONAL, "verbose": FLAG, "context": OPTIONAL, "help": FLAG, "version": FLAG,
    },
    touched=_touched,
    abbreviates=True,
    evident=("-n", "-u", "-i", "--no-clobber", "--update", "--interactive", "--attributes-only"),
)  # fmt: skip

"""`wget`: fetches from the network into files."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import FLAG, VALUE, Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    scene.does("network")
    if arguments.has("-e", "--execute", "--config", "--use-askpass"):
        scene.doubt("*", "what its settings do is not known")
    documents = arguments.values("-O", "--output-document")
    logs = arguments.values("-o", "--output-file", "-a", "--append-output", "--save-cookies")
    sent = arguments.values("--post-file", "--body-file", "-i", "--input-file", "--load-cookies", "--private-key")
    paths = [scene.path(text, "write") for text in documents + logs if text != "-"]
    paths += [scene.path(text, "read") for text in sent if text != "-"]
    if documents or arguments.has("--spider"):
        return paths
    folder = arguments.last("-P", "--directory-prefix") or "."
    if arguments.has("-r", "--recursive", "-m", "--mirror"):
        return [*paths, scene.path(folder, "write", True)]
    for url in arguments.operands:
        name = url.partition("?")[0].rstrip("/").rpartition("/")[2] or "index.html"
        paths.append(scene.path(f"{folder}/{name}", "write"))
    return paths


PROGRAM = Program(
    "wget",
    short="bcdFhHiIkKLmNpqrSvVxE46",
    short_values="aABDeglnoOPQRtTUwX",
    long={
        "output-document": VALUE, "output-file": VALUE, "append-output": VALUE, "directory-prefix": VALUE,
        "input-file": VALUE, "quiet": FLAG, "no-verbose": FLAG, "recursive": FLAG, "level": VALUE, "no-parent": FLAG,
        "mirror": FLAG, "continue": FLAG, "timestamping": FLAG, "tries": VALUE, "timeout": VALUE,
        "user-agent": VALUE, "header": VALUE, "post-file": VALUE, "post-data": VALUE, "body-file": VALUE,
        "body-data": VALUE, "method": VALUE, "no-check-certificate": FLAG, "execute": VALUE, "config": VALUE,
        "use-askpass": VALUE, "load-cookies": VALUE, "save-cookies": VALUE, "certificate": VALUE,
        "private-key": VALUE, "content-disposition": FLAG, "spider": FLAG, "no-clobber": FLAG, "accept": VALUE,
        "reject": VALUE, "show-progress": FLAG, "help": FLAG, "version": FLAG,
    },
    touched=_touched,
    tolerant=True,
    abbreviates=True,
)  # fmt: skip

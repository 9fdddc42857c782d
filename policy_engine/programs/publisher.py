"""`publisher`: tools with a subcommand that publishes: hatch, poetry, gem, mvn, gradle, nuget, lerna and more."""

from __future__ import annotations

from policy_engine.model.partial import is_known
from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Program, Scene

_PUBLISHES = frozenset(
    (
        "publish push deploy upload release yank owner hex.publish hex.retire publishToMavenCentral canary "
        "publish-module unpublish trunk copy submit"
    ).split()
)
_TRIALS = ("--dry-run", "--snapshot", "--skip-publish", "--skip=publish", "--dryrun", "-n", "--help", "-h")


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    scene.does("executes")
    words = arguments.operands
    if any(word in _TRIALS for word in words):
        return []
    if not words and scene.name in ("semantic-release", "np", "release-it", "auto"):
        scene.does("publishes", "network")
    for word in words:
        bare = word.rpartition(":")[2] if scene.name in ("mvn", "mvnw", "gradle", "gradlew") else word
        if bare in _PUBLISHES or (scene.name.startswith("gradle") and bare.startswith("publish")):
            if scene.name in ("mvn", "mvnw") and bare not in ("deploy", "release", "perform"):
                continue
            scene.does("publishes", "network")
    if words and not is_known(words[0]):
        scene.doubt("publishes", "which subcommand is meant is not known")
    return []


PROGRAM = Program(
    "publisher",
    touched=_touched,
    raw=True,
)

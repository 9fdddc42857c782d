"""`publisher`: tools of which some verbs publish: hatch, poetry, gem, nuget, lerna, crane and more."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_known
from policy_engine.programs.base import Arguments, EffectAnalysis

_VERBS = {
    "hatch": "publish", "pdm": "publish", "poetry": "publish", "flit": "publish", "rye": "publish",
    "maturin": "publish, upload", "gem": "push, yank, owner", "nuget": "push, delete",
    "dotnet": "nuget push, nuget delete", "vsce": "publish, unpublish", "ovsx": "publish, unpublish",
    "mix": "hex.publish, hex.retire, hex.owner", "goreleaser": "release, publish, continue, announce",
    "lerna": "publish", "changeset": "publish", "changesets": "publish", "helm": "push, cm-push, s3 push, gcs push",
    "rush": "publish", "nx": "release", "turbo": "publish", "jsr": "publish", "pod": "trunk, repo push",
    "swift": "package-registry publish", "conan": "upload", "opam": "publish, submit", "cabal": "upload",
    "stack": "upload", "luarocks": "upload", "choco": "push", "crane": "push, copy, cp, tag, delete, append, mutate",
    "regctl": "image copy, image import, tag delete", "oras": "push, copy, cp, attach, tag, manifest push",
    "dart": "pub publish, pub lish", "flutter": "pub publish, pub lish", "lein": "deploy",
    "anaconda": "upload", "rattler-build": "upload, publish", "eas": "submit", "apm": "publish, unpublish",
    "charmcraft": "upload, upload-resource, release, promote",
    "snapcraft": "upload, push, release, promote, upload-metadata", "tea": "release create",
    "release-please": "github-release, release-pr",
    "auto": "shipit, release, canary, next, latest", "rebar3": "hex publish, hex retire", "elm": "publish",
    "fastlane": "deliver, release, supply, pilot, upload_to_app_store, upload_to_play_store, upload_to_testflight",
    "web-ext": "sign", "copr": "build, build-package", "ko": "build, publish, resolve, apply, create",
    "vagrant": "cloud publish", "packer": "push", "melos": "publish", "jf": "rt upload, rt u, rt npm-publish",
    "jfrog": "rt upload, rt u", "cr": "upload", "shipjs": "trigger", "chrome-webstore-upload": "upload, publish",
    "python-semantic-release": "publish, version", "semantic-release": "publish, version",
}  # fmt: skip
_BARE = ("semantic-release", "np", "release-it", "auto", "goreleaser", "dput", "ghr", "shipjs")
_TRIALS = ("--dry-run", "--dryrun", "--snapshot", "--skip-publish", "--skip=publish", "--help", "-h", "--local",
           "--noop", "--push=false", "--no-push", "--simulate")  # fmt: skip
_SHORT_TRIALS = {"semantic-release": ("-d",), "nx": ("-d",), "dart": ("-n",), "flutter": ("-n",),
                 "dput": ("-s", "-o")}  # fmt: skip
_OTHER = tuple("run run-script exec install add help info show list new remove search init".split())
_QUIET = tuple("init check build completion jsonschema healthcheck man changelog --version -v".split())


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    analysis.does("executes")
    words = arguments.operands
    if "--no-commit-hooks" in words:
        analysis.does("skips-hooks")
    name = analysis.name
    trials = [*_SHORT_TRIALS.get(name, ()), *_TRIALS]
    if any(word in trials or word in ("--dry-run=true", "--dry-run=1") for word in words):
        return []
    plain = [word for word in words if word[:1] != "-"]
    if not is_known((plain or [""])[0]):
        analysis.doubt("publishes", f"which subcommand of `{name}` is meant is not known")
    elif plain[:1] and plain[0] in _OTHER:
        script = "".join(plain[1:2])
        if plain[0] in ("run", "run-script") and any(word in script for word in ("publish", "release", "deploy")):
            analysis.doubt("publishes", f"the script `{plain[1][:80]}` may publish")
    elif (name in _BARE and not (plain and plain[0] in _QUIET) and _bare(name, plain)) or _says(name, plain):
        analysis.does("publishes", "network")
    return []


def _bare(name: str, plain: list[str]) -> bool:
    """Return whether the tool publishes without being told a verb."""
    return not plain or name in ("np", "dput", "release-it", "ghr", "semantic-release")


def _says(name: str, plain: list[str]) -> bool:
    """Return whether the verbs stand among the words, one behind the other."""
    for phrase in _VERBS.get(name, "publish").split(", "):
        verbs = phrase.split()
        if verbs and any(plain[place : place + len(verbs)] == verbs for place in range(len(plain))):
            return True
    return False

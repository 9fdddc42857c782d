"""Say whether a container in which tests ran has the sources of the workspace. Imported when a line starts one.

`docker run` runs what its image has, unless the workspace is mounted or the line built the image of it before; a pod
has what was deployed. Of a container that runs already (`docker exec`) and of compose nothing is asked.
"""

from __future__ import annotations

from policy_engine.model.partial import FOLDER, is_known
from policy_engine.test_runs.runners import SUITE_FOLDERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from policy_engine.shell.command import SimpleCommand
    from policy_engine.test_runs.classify import Place, Run, Words

CONTAINERS = ("docker", "docker-compose", "podman", "kubectl", "devcontainer")
_RUNS = ("docker", "podman")
_MOUNTS = ("-v", "--volume", "--mount")
_IN_POD = "a pod has the sources that were deployed, not those here: run them in the workspace"


def enter_container(name: str, verb: str, given: Words, place: Place) -> None:
    """Note that what follows runs in a container, and of which image alone its sources are."""
    place.inside = True
    if name == "kubectl":
        place.started.append("\0" + _IN_POD)
    elif name in _RUNS and verb == "run" and "--volumes-from" not in " ".join(given):
        if not any(_has_sources(source, place) for source in _sources(given)):
            place.image = given[-1]


def _sources(given: Words) -> Iterator[str]:
    """Yield what the options of a line mount."""
    for number, word in enumerate(given):
        option, equals, value = word.partition("=")
        if option in _MOUNTS:
            value = value if equals else "".join(given[number + 1 : number + 2])
        elif word[:2] == "-v" and word[:3] != "--":
            option, value = "-v", word[2:]
        else:
            continue
        if option == "--mount":
            fields = dict(field.partition("=")[::2] for field in value.split(","))
            value = fields.get("source", "") or fields.get("src", "")
        yield value.rpartition(":")[0].partition(":")[0] if option != "--mount" else value


def _has_sources(source: str, place: Place) -> bool:
    """Return whether a mounted folder is the workspace, one around it, or one of sources in it; a name is a volume."""
    source = source.removeprefix(FOLDER)
    if not is_known(source):
        return True  # `$(git rev-parse --show-toplevel)`
    if source[:1] not in ("/", "."):
        return False
    root, real = place.filesystem.real_workspace.rstrip("/"), place.at(source)
    if real is None or f"{root}/".startswith(f"{real.rstrip('/')}/"):
        return True
    return real.startswith(f"{root}/") and real.rpartition("/")[2] not in SUITE_FOLDERS


def why_of_image(run: Run, command: SimpleCommand, line: Sequence[SimpleCommand]) -> str:
    """Return why the image of a run may have other sources than the workspace; "" if the line built it of them."""
    before = line[: next((number for number, one in enumerate(line) if one is command), 0)]
    if any(_builds(one, run.image) for one in before):
        return ""
    return f'nothing says that `{run.image}` has the sources that lie here: mount them (`docker run -v "$PWD:/app" …`)'


def _builds(command: SimpleCommand, image: str) -> bool:
    """Return whether a command builds an image of a folder of the workspace, and the line fails where it does."""
    words = command.argv
    if command.name not in (*_RUNS, "buildah") or "build" not in words[1:3] or not command.zero_proves:
        return False
    tags = [word for number, word in enumerate(words) if number and words[number - 1] in ("-t", "--tag")]
    tags += [word.partition("=")[2] for word in words if word[:6] == "--tag="]
    here = command.filesystem.real_workspace.rstrip("/")
    return image in tags and ("." in words[2:] or f"{words[-1].removeprefix(FOLDER)}/".startswith((f"{here}/", "./")))

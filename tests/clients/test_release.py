"""The steps of the release workflow, run as they stand in a copy of the sources, and those of the container file."""

from __future__ import annotations

import json
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

import policy_engine
from tests.clients.packages import offline
from tests.end_to_end.action import ROOT, own_home, run_step

WORKFLOW = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text("utf-8"))
TAG = f"v{policy_engine.__version__}"
BINARY = f"policy-{platform.system().lower()}-{platform.machine()}"
VALUES = {"github.ref_name": TAG, "github.token": "none"}
GH = '#!/bin/sh\nprintf "%s\\n" "$@" > "$RUNNER_TEMP/gh"\n'
POLICY = 'language 1\n\nrule r "t" {\n  on before_tool(shell)\n  deny "Nothing is run here."\n}\n'

pytestmark = pytest.mark.skipif(offline(), reason="what the release is built with cannot be fetched: POLICY_OFFLINE")


@dataclass(frozen=True, slots=True)
class Runner:
    """A copy of the sources, and the folder of a runner beside it."""

    sources: Path
    temporary: Path

    def play(self, job: str, tag: str = TAG, only: str = "") -> dict[str, subprocess.CompletedProcess[str]]:
        """Run the steps of a job that are shell, or one of them; a failing one ends the job."""
        python = self.temporary / "python"
        path = os.pathsep.join([str(self.temporary / "bin"), str(python), os.defpath])
        done = {}
        for step in WORKFLOW["jobs"][job]["steps"]:
            if "run" in step and only in ("", step["id"]):
                values = {**VALUES, "github.ref_name": tag}
                ended = run_step(step, self.sources, self.temporary, values, {"PATH": path})
                done[step["id"]] = ended
                if ended.returncode:
                    break
        return done


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Runner:
    """Copy what git knows or would add; make the programs that a runner has."""
    folder = tmp_path_factory.mktemp("release")
    made = Runner(folder / "sources", folder / "temp")
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    for name in filter(None, names):
        if (ROOT / name).is_file():
            (made.sources / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, made.sources / name)
    for place in ("bin", "python"):
        (made.temporary / place).mkdir(parents=True)
    (made.temporary / "bin" / "gh").write_text(GH)
    (made.temporary / "bin" / "gh").chmod(0o755)
    for name in ("python3", "python"):
        (made.temporary / "python" / name).symlink_to(getattr(sys, "_base_executable", sys.executable))
    return made


@pytest.fixture(scope="module")
def built(runner: Runner) -> Runner:
    """Play the job that builds."""
    done = runner.play("build")
    assert {name: one.returncode for name, one in done.items()} == dict.fromkeys(
        ("build", "version", "try", "binary", "digests"), 0
    ), {name: one.stdout + one.stderr for name, one in done.items()}
    assert f"policy {policy_engine.__version__}" in done["try"].stdout
    return runner


def test_every_job_has_only_the_rights_that_it_says() -> None:
    assert WORKFLOW["permissions"] == {}
    assert all(job["permissions"] for job in WORKFLOW["jobs"].values())
    assert WORKFLOW["jobs"]["build"]["needs"] == "test"
    assert WORKFLOW["jobs"]["publish"]["needs"] == "build"


def test_a_release_is_published_as_it_was_built(built: Runner) -> None:
    names = {path.name for path in (built.sources / "dist").iterdir()}
    version = policy_engine.__version__
    assert names == {
        *("SHA256SUMS", "policy_engine.cdx.json", "run.lock", BINARY),
        *(f"policy_engine-{version}.tar.gz", f"policy_engine-{version}-py3-none-any.whl"),
    }
    bill = json.loads((built.sources / "dist" / "policy_engine.cdx.json").read_text("utf-8"))
    assert bill["metadata"]["component"]["version"] == version

    done = built.play("publish")
    assert [one.returncode for one in done.values()] == [0, 0, 0], done
    words = (built.temporary / "gh").read_text().splitlines()
    assert words[:3] == ["release", "create", TAG]
    assert {Path(word).name for word in words if word.startswith("dist/")} == names
    assert {path.suffix for path in (built.sources / "packages").iterdir()} == {".whl", ".gz"}


def test_another_tag_or_another_file_is_not_released(built: Runner) -> None:
    wrong = built.play("build", tag="v99.0.0", only="version")["version"]
    assert wrong.returncode == 1
    assert "::error::the tag v99.0.0 is not the version" in wrong.stdout

    lock = built.sources / "dist" / "run.lock"
    text = lock.read_text()
    lock.write_text(text + "# changed\n")
    assert built.play("publish", only="unchanged")["unchanged"].returncode == 1
    lock.write_text(text)


def test_the_container_file_builds_from_a_release(built: Runner, tmp_path: Path) -> None:
    """Play it where no container is: a fresh virtual environment for the image, a folder for each of its folders."""
    text = re.sub(r"^#.*\n", "", (ROOT / "Containerfile").read_text("utf-8"), flags=re.M)
    steps = [tuple(line.split(" ", 1)) for line in text.splitlines()]
    assert [word for word, _ in steps] == "FROM WORKDIR COPY RUN RUN USER WORKDIR ENTRYPOINT CMD".split()
    told = dict(steps)
    assert re.fullmatch(r"docker\.io/library/python:3\.\d+-slim", told["FROM"])
    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", told["USER"])

    image = tmp_path / "image"
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "python")], check=True)
    environment = {**own_home(tmp_path), "PATH": os.pathsep.join([str(tmp_path / "python/bin"), os.defpath])}
    folder = image
    for word, rest in steps:
        match word:
            case "WORKDIR":
                folder = image / rest.lstrip("/")
                folder.mkdir(parents=True)
            case "COPY":
                *sources, target = rest.split()
                for source in sources:
                    found = list((built.sources / "dist").glob(source))
                    assert len(found) == 1, source
                    shutil.copy(found[0], folder / target)
            case "RUN":
                done = subprocess.run(["sh", "-c", rest], cwd=folder, env=environment, capture_output=True, check=False)
                assert done.returncode == 0, done.stderr
    (folder / ".policy").mkdir()
    (folder / ".policy" / "main.policy").write_text(POLICY)
    command = [*json.loads(told["ENTRYPOINT"]), *json.loads(told["CMD"])]
    nobody = {**environment, "HOME": "/dev/null/none"}  # the user of the image has no home
    done = subprocess.run(command, cwd=folder, env=nobody, capture_output=True, text=True, check=False)
    assert (done.returncode, "[rule-without-test]" in done.stdout) == (0, True), shlex.join(command) + done.stderr

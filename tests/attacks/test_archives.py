"""Archives that are laid over the workspace, by whatever program, against the real hook."""

from __future__ import annotations

import pytest

from tests.attacks.session import Session


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    made = Session(tmp_path_factory.mktemp("archives"))
    (made.workspace / "build").mkdir()
    return made


@pytest.mark.parametrize(
    "line",
    [
        "jar xf x.jar",
        "unzip -o x.zip",
        "bsdtar -xf x.tar",
        "7z x x.7z",
        "unrar x x.rar",
        "cpio -idm < x.cpio",
        "ar x x.a",
        "pax -rf x.pax",
        "dpkg-deb -x x.deb .",
        "dtrx x.zip",
        "python3 -m zipfile -e x.zip .",
        "python3 -m tarfile -e x.tar",
        "python3 -c \"import shutil; shutil.unpack_archive('x.zip')\"",
        "python3 -c \"import zipfile; zipfile.ZipFile('x.zip').extractall('.')\"",
    ],
)
def test_what_guards_is_not_overlaid(session: Session, line: str) -> None:
    assert session.asked(line) in ("ask", "deny")


@pytest.mark.parametrize(
    "line", ["jar tf x.jar", "jar cf build/x.jar src", "unzip x.zip -d build", "ar t x.a", "tar xf x.tar -C build"]
)
def test_a_folder_below_is_free(session: Session, line: str) -> None:
    assert session.asked(line) == "allow"

"""Variables before a run of tests that let it prove nothing, and such as change nothing."""

from __future__ import annotations

import pytest

from policy_engine.filesystem.file_system import Virtual
from policy_engine.filesystem.paths import PathValue
from policy_engine.test_runs.classify import Place
from policy_engine.test_runs.environment import harmful_assignment

PLACE = Place(PathValue("/work", "/work"), Virtual("/work"), ())
HARMFUL = (
    "INSTA_UPDATE=always", "INSTA_FORCE_PASS=1", "UPDATE_EXPECT=1", "TRYBUILD=overwrite", "UPDATE_SNAPSHOTS=1",
    "UPDATE_SNAPS=true", "SNAPSHOTS=overwrite", "UPDATE_GOLDEN=yes", "GOLDEN_UPDATE=1", "REGENERATE_BASELINES=1",
    "SNAPSHOT_TESTING_RECORD=all", "VCR_RECORD_CASSETTES=1", "BLESS=1", "RUSTC_BLESS=1", "ACCEPT_SNAPSHOT=1",
    "PROPTEST_CASES=0", "QUICKCHECK_TESTS=0", "CPATH=/tmp/inc", "C_INCLUDE_PATH=/tmp/inc", "LIBRARY_PATH=/tmp",
    "RUSTFLAGS=--cfg fake", "RUSTFLAGS=-C linker=/tmp/ld", "GOWORK=/tmp/go.work", "CFLAGS=-DNDEBUG",
    "CFLAGS=-O2 -I/tmp/inc", "CPPFLAGS=-include /tmp/a.h", "LDFLAGS=-L/tmp -lfake",
)  # fmt: skip
HARMLESS = (
    "INSTA_UPDATE=no", "INSTA_UPDATE=new", "UPDATE_EXPECT=", "UPDATE_SNAPSHOTS=0", "TRYBUILD=wip", "EXPECTED_RECORDS=5",
    "RECORD_LIMIT=10", "UPDATE_INTERVAL=1", "FORCE_COLOR=1", "SNAPSHOT_DIR=/tmp/x", "PROPTEST_CASES=1000",
    "INSTA_WORKSPACE_ROOT=.", "SLOW_TESTS=0", "GOLDEN_DIR=tests/golden", "CI=1",
    "CFLAGS=-O2 -g -Wall -Werror -std=c11", "CXXFLAGS=-fsanitize=address,undefined", "LDFLAGS=-fsanitize=address",
    "CPATH=", "RUSTFLAGS=-D warnings", "RUSTFLAGS=-C debuginfo=0 --cfg tokio_unstable", "GOWORK=off",
)  # fmt: skip


@pytest.mark.parametrize("item", HARMFUL)
def test_variables_that_write_anew_what_tests_compare_with(item: str) -> None:
    assert harmful_assignment(item, PLACE)


@pytest.mark.parametrize("item", HARMLESS)
def test_variables_that_change_nothing_of_tests(item: str) -> None:
    assert harmful_assignment(item, PLACE) == ""


@pytest.mark.parametrize(
    ("value", "text", "harms"),
    [
        ("/tmp/a.env", "GOFLAGS=-skip=TestHard\n", True),
        ("ci/go.env", "GOPROXY=direct\nGOFLAGS=-count=1 -skip=TestHard\n", True),
        ("ci/go.env", "GOFLAGS=-count=0\n", True),
        ("ci/go.env", "GOROOT=/tmp/go\n", True),
        ("ci/go.env", "GOENV=ci/other.env\nGOFLAGS=-mod=mod\n# GOFLAGS=-skip=A\n", False),
        ("ci/go.env", "GOPROXY=direct\nGOFLAGS=-mod=mod -count=1\n", False),
        ("ci/missing.env", None, True),
        ("off", None, False),
        ("", None, False),
    ],
)
def test_the_file_that_goenv_names(value: str, text: str | None, harms: bool) -> None:
    filesystem = Virtual("/work")
    if text is not None:
        filesystem.write(filesystem.resolve(value, "/work"), text.encode())
    place = Place(PathValue("/work", "/work"), filesystem, ())
    assert bool(harmful_assignment(f"GOENV={value}", place)) is harms


@pytest.mark.parametrize(
    ("item", "file", "harms"),
    [
        ("HOME=/tmp/h", "/tmp/h/.npmrc", True), ("HOME=h", "/work/h/.rspec", True), ("HOME=/tmp/h", "/tmp/h/x", False),
        ("XDG_CONFIG_HOME=/tmp/c", "/tmp/c/rspec/options", True), ("XDG_CONFIG_HOME=/tmp/c", "/tmp/c/app/a", False),
    ],
)  # fmt: skip
def test_a_home_that_holds_settings_of_programs_is_another_one(item: str, file: str, harms: bool) -> None:
    filesystem = Virtual("/work")
    filesystem.write(filesystem.resolve(file, "/work"), b"x")
    assert bool(harmful_assignment(item, Place(PathValue("/work", "/work"), filesystem, ()))) is harms

"""Paths of which parts of names are not known: what is surely so is told, what may be otherwise stays undecided."""

from __future__ import annotations

from pathlib import Path

import pytest

from policy_engine.filesystem.file_system import Disk, Virtual
from policy_engine.model.partial import BRANCH, DIGITS, ENTRY, NAME, NUMBER, ONE, PIECE, is_component
from policy_engine.model.undecided import Undecided
from policy_engine.shell.parse import parse
from policy_engine.shell.trimming import trimmed
from tests.unit.compiler.asking import engine, shell

RULE = """define guarded = glob("**/.env*", "**/AGENTS*.md", "**/*.p12", "kept/keep-*")
rule r "r" {
  on before_tool(shell)
  when any c in commands { any p in c.touches where p.access != "read" { p outside workspace or p matches guarded } }
  fail ask
  deny "x"
}
"""
"""A write outside, or to what is guarded, is refused; what cannot be known is asked."""


def _verdict(line: str) -> str:
    filesystem = Virtual("/workspace", "/home/user")
    for name in ("src/a.jsx", "src/sub/b.jsx", "docs/c.md"):
        filesystem.write(filesystem.resolve(name, "/workspace"), b"x")
    return str(engine(RULE, filesystem).decide(shell(line)).verdict)


INSIDE = """
for f in src/*.jsx; do mv "$f" "${f%.jsx}.tsx"; done
touch build/run-$$.log
touch "build/run-$RANDOM/x"
touch build/$(date +%F).log
touch "build/$(date +%Y%m%d-%H%M%S).tgz"
touch "src/a.py.$(date +%s).bak"
touch "kept/$(date +%F)"
touch "docs/$(date +%F).md"
for f in src/*.jsx; do touch "build/x-$(basename "$f").out"; done
b=$(basename README.md .md); touch "docs/$b.txt"
touch "$(pwd)/x"
cd src && touch "$(dirname /workspace/src/a)/x"
for i in $(seq 1 3); do touch "build/$i"; done
for i in $(seq 500); do touch "build/x$i"; done
grep -rl foo src | xargs sed -i s/a/b/
sed -i s/a/b/ $(grep -rl foo src docs)
grep -l foo src/*.jsx | xargs sed -i s/a/b/
while read -r f; do touch "$f"; done < <(git ls-files src)
git diff --name-only -- src | xargs touch
grep -rl foo . | xargs touch
for f in src/*.jsx; do mv "$f" "src/x-${f##*/}"; done
for f in src/*.jsx; do cp "$f" "build/$(basename "$f")"; touch "build/$(basename "$f" .jsx).js"; done
for f in *.jsx src/*.jsx; do mv -n "$f" "${f/math/calc}"; done
for f in src/*.jsx; do mv "$f" "${f//a/_}"; done
for f in src/*.jsx; do touch "${f/src/build}"; done
for f in src/*.JSX; do mv "$f" "${f,,}"; done
for f in A.jsx b.jsx; do mv "$f" "build/${f^^}"; done
for f in a.jsx b.jsx; do mv "$f" "build/${f/.jsx/.tsx}"; done
mkdir -p "${BUILD_DIR:-build}"
BUILD_DIR=${BUILD_DIR:-build}; mkdir -p "$BUILD_DIR/x"
OUT=${OUT:-tmp/out.txt}; date > "$OUT"
: "${OUT:=tmp/out.txt}"; date >> "$OUT"
export LOGS="${LOGS:-tmp}"; mkdir -p "$(dirname "$LOGS/a")"; make 2>&1 | tee "$LOGS/a"
""".strip().split("\n")
REFUSED = r"""
touch ../run-$$.log
touch "/etc/$(date +%F)"
touch ".env.$$"
b=../x; touch "$(dirname "$b")/y"
for i in $(seq 1 3); do touch "../$i"; done
while read -r d; do touch "$d"; done <<< /etc/hosts
T=${T:-/srv/cache}; rm -rf "$T"
export T="${T:-/srv/cache}"; rm -rf "$T"
: "${T:=/srv/cache}"; rm -rf "$T/"
f() { local t=${1:-/srv/cache}; rm -rf "$t"; }; f
XDG_X=${XDG_X:-/srv/cache}; date > "$XDG_X"
A=${A:-/srv}; B=$A/cache; rm -rf "$B"
for f in src/*.jsx; do touch "${f/src//etc}"; done
for f in src/a.jsx; do touch "../${f^^}"; done
""".strip().split("\n")
ASKED = """
touch "build/$(cat name)"
touch ".e$(date +%b)"
touch "kept/$(uname)-x"
touch "kept/k$(hostname)"
touch "x.p$((1))"
touch "x.p$$"
touch "build/$(git branch --show-current)"
touch "${f%.js}.ts"
mkdir -p "build/x$(git rev-parse --short HEAD)"
for f in src/*.jsx; do mv "$f" "${f%.jsx}.md"; done
for f in src/.*.jsx; do mv "$f" "${f%.jsx}.tsx"; done
mkdir -p "build/$(git rev-parse --short HEAD)"
for f in src/*.jsx; do touch "${f%.jsx}"; done
touch "$(git ls-files)"
grep -rl foo ../other | xargs touch
touch "build/$(date '+%D')"
touch "build/$!/"
rm -rf "$(pwd)/build"
for f in src/*.jsx; do mv "$f" "${f/.jsx/}"; done
for f in src/*.jsx; do mv "$f" "${f/x.j/k}"; done
for f in *.jsx; do mv "$f" "${f/a/.env}"; done
for f in *.jsx; do mv "$f" "${f/a/-t}"; done
for f in src/*.jsx; do mv "$f" "${f/[ab]/c}"; done
for f in src/*.jsx; do mv "$f" "src/${f/a/../../x}"; done
for f in src/*; do touch "build/$(basename "$f")"; done
T=${T:-build}; rm -rf "$T"
. ./env.sh; OUT=${OUT:-tmp/out.txt}; date > "$OUT"
OUT=${OUT:-tmp/out.txt}; . ./env.sh; date > "$OUT"
D=${XDG_CACHE_HOME:-tmp}; mkdir -p "$D/x"
read -r OUT; date > "${OUT:-tmp/x}"
while read -r l; do D=${D:-build}; mkdir -p "$D"; D=$l; done < list
D=${D:-build}; if test -e x; then D=$(cat x); fi; mkdir -p "$D"
echo "${D:-build}" | xargs rm -rf
""".strip().split("\n")


@pytest.mark.parametrize("line", INSIDE)
def test_a_name_that_is_not_known_lies_where_its_folder_says(line: str) -> None:
    assert _verdict(line) == "allow"


def test_what_prints_an_environment_for_eval_starts_nothing() -> None:
    assert _verdict('eval "$(pyenv init -)" && touch build/x') == "allow"
    assert _verdict('eval "$(/opt/homebrew/bin/brew shellenv)"') == "allow"
    assert _verdict('eval "$(pyenv init -)" && touch ../x') == "deny"
    for line in ('eval "$(./pyenv init -)"', 'eval "$(pyenv exec x)"', 'eval "$(direnv exec . x)"'):
        assert _verdict(line) == "ask"


@pytest.mark.parametrize("line", REFUSED)
def test_a_name_that_is_not_known_is_refused_where_every_name_is(line: str) -> None:
    assert _verdict(line) == "deny"


@pytest.mark.parametrize("line", ASKED)
def test_what_may_be_more_than_a_name_or_a_guarded_one_is_undecided(line: str) -> None:
    assert _verdict(line) == "ask"


def test_a_name_that_may_be_a_link_which_is_there_is_not_followed_by_guess(tmp_path: Path) -> None:
    folder = tmp_path.resolve()
    (folder / "run-7").symlink_to("/etc")
    filesystem = Disk(str(folder), "/home/user")
    with pytest.raises(Undecided, match="which is there"):
        filesystem.loose(f"run-{NAME}", str(folder))
    assert filesystem.loose(f"log-{NAME}/x", str(folder)).startswith(f"{folder}/log-")


def test_a_name_that_is_only_opened_leads_into_no_folder_that_is_not_there(tmp_path: Path) -> None:
    folder = tmp_path / "w"
    (folder / "seen-a").mkdir(parents=True)
    filesystem = Disk(str(folder), "/home/user")
    assert filesystem.loose(f"part-{ONE}.txt", str(folder), True) == f"{folder}/part-{ONE}.txt"
    for text, opened in ((f"part-{ONE}.txt", False), (f"seen-{ONE}", True), (f"{ONE}.txt", True), (f"..{ONE}", True)):
        with pytest.raises(Undecided):
            filesystem.loose(text, str(folder), opened)


@pytest.mark.parametrize("text", [NAME, NUMBER, f"x{PIECE}", ENTRY, f"a{DIGITS}", f"{PIECE}.ts"])
def test_a_component_with_something_known_is_a_name(text: str) -> None:
    assert is_component(text)


@pytest.mark.parametrize("text", [PIECE, DIGITS, f".{PIECE}", ONE, f"x{ONE}", BRANCH, f"..{DIGITS}"])
def test_a_component_that_may_be_empty_or_lead_up_is_none(text: str) -> None:
    assert not is_component(text)


@pytest.mark.parametrize(
    ("value", "side", "pattern", "longest", "left"),
    [
        ("a.tar.gz", "%", ".gz", False, "a.tar"), ("a.tar.gz", "%", ".*", False, "a.tar"),
        ("a.tar.gz", "%", ".*", True, "a"), ("x/y/z", "#", "*/", True, "z"), ("x/y/z", "#", "*/", False, "y/z"),
        ("x/y/z", "%", "/*", False, "x/y"), ("x/y/z", "%", "/*", True, "x"), ("abc", "#", "a", False, "bc"),
        ("abc", "%", ".*", False, "abc"), ("abc", "%", "?", False, "ab"), ("abc", "%", "[c]", False, ONE),
        ("/a/b/c", "%", "/*/*", False, "/a"), ("/a/b/c", "%", "/*/*", True, ""), ("a-b-c", "#", "*-*-", False, "c"),
        ("ab" * 999, "%", "?b", False, ONE),
        (ONE, "%", ".c", False, ONE),
    ],
)  # fmt: skip
def test_what_is_left_of_a_value(value: str, side: str, pattern: str, longest: bool, left: str) -> None:
    assert trimmed(value, side, pattern, longest) == left


def test_a_line_that_names_a_number_is_no_option() -> None:
    assert parse("kill -9 $$", "/workspace", Virtual())[0].argv == ("kill", "-9", NUMBER)

"""`python -m tests.fuzz TARGET SECONDS`: one target for a while, with atheris if it is installed, else with mutants.

`python -m tests.fuzz all SECONDS` takes them in turn. Findings are written below .fuzz/ and printed; what reached code
that nothing reached before is kept there too. `--keep` copies the smallest of what was kept, as far as it reaches
something new, to tests/fuzz/corpus/.
"""

from __future__ import annotations

import argparse
import hashlib
import subprocess
import sys
import time
import traceback
from importlib.util import find_spec
from random import Random

from tests.fuzz.feeding import CORPUS, ROOT, corpus, load, mutant, names

KEPT = ROOT / ".fuzz"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target", choices=(*names(), "all"))
    parser.add_argument("seconds", type=int)
    parser.add_argument("--plain", action="store_true", help="without atheris")
    parser.add_argument("--keep", action="store_true", help="minimize the corpus into the repository")
    options = parser.parse_args()
    chosen = names() if options.target == "all" else [options.target]
    status = 0
    for name in chosen:
        (KEPT / name).mkdir(parents=True, exist_ok=True)
        plain = options.plain or find_spec("atheris") is None
        status |= run_plain(name, options.seconds) if plain else run_atheris(name, options.seconds)
        if options.keep:
            keep(name)
    return status


def run_atheris(name: str, seconds: int) -> int:
    """Guided by coverage, in a process of its own: libFuzzer ends the process when its time is up."""
    seeds = KEPT / name / "seeds"
    seeds.mkdir(exist_ok=True)
    for data in corpus(name):
        (seeds / digest(data)).write_bytes(data)
    command = [sys.executable, "-m", "tests.fuzz.guided", name, str(KEPT / name / "found"), str(seeds),
               f"-max_total_time={seconds}", "-max_len=4096", "-timeout=20", "-rss_limit_mb=2048", "-verbosity=0",
               "-print_final_stats=1", f"-artifact_prefix={KEPT / name}/finding-"]  # fmt: skip
    (KEPT / name / "found").mkdir(exist_ok=True)
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, errors="replace", check=False)
    lines = done.stderr.splitlines()
    said = [line for line in lines if line.startswith("stat::number_of_executed_units")]
    print(name, *said, "no finding" if done.returncode == 0 else "\n".join([done.stdout[-3000:], *lines[-60:]]))
    return int(done.returncode != 0)


def run_plain(name: str, seconds: int) -> int:
    """Mutants of the corpus, as they come; every finding is printed with its input."""
    target, rng, known = load(name).target, Random(), corpus(name)
    tried = wrong = 0
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        data = mutant(known, rng)
        tried += 1
        try:
            target(data)
        except Exception:
            wrong += 1
            (KEPT / name / f"finding-{digest(data)}").write_bytes(data)
            print(f"{name}: {data!r}\n{traceback.format_exc(limit=-4)}")
            if wrong == 5:
                break
    print(f"{name}: {tried} inputs, {wrong} findings")
    return int(wrong > 0)


def keep(name: str) -> None:
    """The smallest inputs that together reach what all reach, into the repository."""
    target = load(name).target
    found = sorted((path.read_bytes() for path in (KEPT / name / "found").glob("*")), key=len)
    reached: set[tuple[str, int]] = set()
    for data in corpus(name):
        reached |= lines_of(target, data)
    folder = CORPUS / name
    for data in found:
        new = lines_of(target, data) - reached
        if new and len(data) <= 2048:
            reached |= new
            folder.mkdir(parents=True, exist_ok=True)
            (folder / digest(data)).write_bytes(data)


def lines_of(target: object, data: bytes) -> set[tuple[str, int]]:
    """The lines of the engine that one input reaches."""
    reached: set[tuple[str, int]] = set()
    inside = str(ROOT / "policy_engine")

    def local(frame: object, event: str, _: object) -> object:
        if event == "line":
            reached.add((frame.f_code.co_filename, frame.f_lineno))  # type: ignore[attr-defined]
        return local

    def entered(frame: object, event: str, _: object) -> object:
        return local if frame.f_code.co_filename.startswith(inside) else None  # type: ignore[attr-defined]

    sys.settrace(entered)  # type: ignore[arg-type]
    try:
        target(data)  # type: ignore[operator]
    finally:
        sys.settrace(None)
    return reached


def digest(data: bytes) -> str:
    """A file name for an input."""
    return hashlib.blake2b(data, digest_size=6).hexdigest()


if __name__ == "__main__":
    sys.exit(main())

"""Programs and files under other paths that lead to the same place."""

from __future__ import annotations

import os.path
import shlex
from random import Random

from tests.generated.disguises.base import Disguise, Line, Place, is_plain, simple, starts_program


def program(line: Line, rng: Random, place: Place) -> Line | None:
    """The program with its folder, straight or with noise."""
    if line.argv is None or not starts_program(line) or "/" in line.argv[0] or not is_plain(line.argv[0]):
        return None
    name, home = line.argv[0], place.programs
    last = os.path.basename(home)
    paths = (
        f"{home}/{name}",
        f"{home}/./{name}",
        f"{home}//{name}",
        f"{home}/../{last}/{name}",
        f"/{home}/{name}",
        f"//.{home}/{name}",
    )
    return simple((rng.choice(paths), *line.argv[1:]))


def program_glob(line: Line, rng: Random, place: Place) -> Line | None:
    if line.argv is None or not starts_program(line) or "/" in line.argv[0] or not is_plain(line.argv[0]):
        return None
    name, at = line.argv[0], rng.randrange(len(line.argv[0]))
    wild = rng.choice(
        (
            f"{name[:at]}?{name[at + 1 :]}",
            f"{name[:at]}[{name[at]}]{name[at + 1 :]}",
            f"{name[:at]}[!.]{name[at + 1 :]}",
        )
    )
    return Line(f"{place.programs}/{wild} {shlex.join(line.argv[1:])}")


def program_variable(line: Line, rng: Random, place: Place) -> Line | None:
    if line.argv is None or not starts_program(line) or "/" in line.argv[0]:
        return None
    rest = shlex.join(line.argv)
    return Line(
        rng.choice(
            (
                f"d={place.programs}; $d/{rest}",
                f"cd {place.programs} && ./{rest}"
                if not _relative(line.argv)
                else f"p={place.programs}/; ${{p}}{rest}",
                f"PATH={place.programs}:$PATH {rest}",
                f"PATH={place.programs}; {rest}",
                f"export PATH=$PATH:{place.programs}; {rest}",
            )
        )
    )


def _relative(words: tuple[str, ...]) -> bool:
    return any(word[:1] not in ("-", "/") for word in words[1:])


def noise(line: Line, rng: Random, place: Place) -> Line | None:
    """`/./`, `//` and a way in and out again, in words that are surely paths."""
    if line.argv is None:
        return None
    words = list(line.argv)
    for number in range(1, len(words)):
        if words[number][:1] == "/" or words[number].startswith(("./", "../")):
            words[number] = _noisy(words[number], rng, place)
    return simple(tuple(words)) if tuple(words) != line.argv else None


def _noisy(path: str, rng: Random, place: Place) -> str:
    if "://" in path or path in ("/", "//"):
        return rng.choice(("/", "//", "/.", "/tmp/..", "/./")) if path == "/" else path
    forms = [
        path.replace("/", "//", 1) if path[0] != "/" else f"/.{path}",
        path.replace("/", "/./", 1),
        f"./{path}" if path[0] != "/" else f"/tmp/..{path}",
    ]
    if path.rstrip("/") != path or path.endswith(".."):
        forms.append(f"{path.rstrip('/')}/.")
    if path[0] == "/":
        forms += [f"/{path}", f"{place.cwd}/..{path}" if place.cwd.count("/") == 1 else path]
    return rng.choice(forms)


def spelled(line: Line, rng: Random, place: Place) -> Line | None:
    """`~`, `$HOME`, `$PWD` in the place of what they stand for."""
    if line.argv is None:
        return None
    words, changed = [], False
    for number, word in enumerate(line.argv):
        made = _spelled(word, rng, place) if number else None
        changed = changed or made is not None
        words.append(shlex.quote(word) if made is None else made)
    return Line(" ".join(words)) if changed else None


def _spelled(word: str, rng: Random, place: Place) -> str | None:
    for folder, forms in (
        (place.home, ("~", "$HOME", '"$HOME"', "${HOME}", '"${HOME}"', "~/.")),
        (place.cwd, ("$PWD", '"$PWD"', "${PWD}", "~+", ".", "$PWD/.")),
    ):
        if word == folder or word.startswith(folder + "/"):
            rest = word[len(folder) :]
            if not is_plain(f"x{rest}"):
                return None  # a quote would hide the tilde
            return rng.choice(forms) + (shlex.quote(rest) if rest else "")
    if word.startswith(("../", "./")) or word in (".", ".."):
        return rng.choice(('"$PWD"/', "$PWD/", "~+/", "${PWD}/")) + shlex.quote(word)
    if word[:1] == "/" and is_plain(word):
        return rng.choice(("${HOME:0:1}", "${PWD%%[!/]*}", '"${HOME%${HOME#?}}"')) + word[1:]
    return None


def moved(line: Line, rng: Random, place: Place) -> Line | None:
    """`cd` first, and the one path relative to there."""
    if line.argv is None or not starts_program(line):
        return None
    paths = [n for n, word in enumerate(line.argv) if n and (word[:1] == "/" or word.startswith("../") or word == "..")]
    others = [word for n, word in enumerate(line.argv) if n and n not in paths]
    if len(paths) != 1 or any(word[:1] != "-" or "/" in word or "=" in word for word in others) or "/" in line.argv[0]:
        return None
    target = os.path.normpath(os.path.join(place.cwd, line.argv[paths[0]]))
    folder = rng.choice(("/", "/tmp", os.path.dirname(target) if os.path.isdir(os.path.dirname(target)) else "/"))
    words = list(line.argv)
    words[paths[0]] = os.path.relpath(target, folder)
    if words[paths[0]][:1] == "-":
        return None
    go = rng.choice(
        (
            f"cd {folder} && ",
            f"cd {folder}; ",
            f"pushd {folder} >/dev/null; ",
            f"cd {folder}\n",
            f"command cd {folder} && ",
            f"CDPATH= cd -P {folder} && ",
            f"cd -- {folder} && ",
            f"d={folder}; cd $d; ",
            f"cd {folder} || exit; ",
        )
    )
    form = rng.choice(
        (
            f"{go}{shlex.join(words)}",
            f"({go}{shlex.join(words)})",
            f"env -C {folder} {shlex.join(words)}",
            f"f() {{ {go}{shlex.join(words)}; }}; f",
        )
    )
    return Line(form)


NEEDS = {"moved": ("-",), "noise": ("-",)}
DISGUISES: dict[str, Disguise] = {
    form.__name__: form for form in (program, program_glob, program_variable, noise, spelled, moved)
}

"""Lines that are written to a file and run from there, in one line."""

from __future__ import annotations

import json
import shlex
from random import Random

from tests.generated.disguises.base import Disguise, Line, Place, heredoc

_NAMES = ("s.sh", "./s.sh", "run", "/tmp/s.sh", "build.sh", "./x", "$PWD/s.sh")


def _written(text: str, file: str, rng: Random) -> str:
    """A statement that writes the text to the file."""
    quoted = shlex.quote(text)
    lines = text.split("\n")
    if "\\" in text or text[:1] == "-":  # what `echo` may read in another way
        return rng.choice(
            (f"printf '%s\\n' {quoted} > {file}", f"cat > {file} <<< {quoted}", f"tee {file} <<< {quoted} >/dev/null")
        )
    forms = [
        f"echo {quoted} > {file}",
        f"printf '%s\\n' {quoted} > {file}",
        f"printf '%s\\n' {quoted} | tee {file} >/dev/null",
        f"echo {quoted} >| {file}",
        f"tee {file} <<< {quoted} >/dev/null",
        f"cat > {file} <<< {quoted}",
        f"cat <<< {quoted} > {file}",
        f"> {file} echo {quoted}",
        f"{{ echo {quoted}; }} > {file}",
        f"(echo {quoted}) > {file}",
        f"echo {quoted} | cat > {file}",
        f'x={quoted}; echo "$x" > {file}',
        f"dd of={file} <<< {quoted} 2>/dev/null",
        f"echo {quoted} | dd of={file} status=none",
        f"echo : > {file}; echo {quoted} >> {file}",
        f"rm -f {file}; echo {quoted} >> {file}",
        f"touch {file}; printf '%s\\n' {quoted} >> {file}",
        f"echo {quoted} > t0; cp t0 {file}",
        f"echo {quoted} > t0; mv t0 {file}",
        f"echo {quoted} > t0; cat t0 > {file}",
        f"echo {quoted} > t0; ln -sf $PWD/t0 {file}",
        f"echo {quoted} > t0; install -m 755 t0 {file}",
        f"echo {quoted} | sed 's/^//' > {file}",
        f"f() {{ echo {quoted}; }}; f > {file}",
        f"f={file}; echo {quoted} > $f",
        f'for l in {quoted}; do echo "$l" > {file}; done',
        f"exec 5> {file}; echo {quoted} >&5; exec 5>&-",
        f"python3 -c {shlex.quote(f'open({json.dumps(file)}, {chr(34)}w{chr(34)}).write({json.dumps(text)})')}"
        if "$" not in file
        else f"echo {quoted} > {file}",
        f"awk 'BEGIN{{print {json.dumps(text)} > \"{file}\"}}'"
        if "$" not in file and text.isascii() and "\n" not in text and "'" not in text
        else f"echo {quoted} > {file}",
        f"echo {quoted} > {file} && true",
        f"true && echo {quoted} > {file}",
        f"if true; then echo {quoted} > {file}; fi",
        f"perl -e {shlex.quote(f'open(F,{chr(39)}>{file}{chr(39)}); print F {chr(39)}{text}{chr(39)}')}"
        if not set(text + file) & set("'\\$@")
        else f"echo {quoted} > {file}",
        f"{{ echo '#!/bin/bash'; echo {quoted}; }} > {file}",
    ]
    if len(lines) == 1:
        forms += [
            f"cat > {file} {heredoc(text, rng)}\ntrue",
            f"tee {file} >/dev/null {heredoc(text, rng)}\ntrue",
            f"cat {heredoc(text, rng).replace(chr(10), f' > {file}{chr(10)}', 1)}\ntrue",
            f"cat > {file} {heredoc('#!/bin/bash' + chr(10) + text, rng)}\ntrue",
        ]
    return rng.choice(forms)


def shell(line: Line, rng: Random, place: Place) -> Line | None:
    file = rng.choice(_NAMES)
    path = file if "/" in file else f"./{file}"
    run = rng.choice(
        (
            f"bash {file}",
            f"sh {file}",
            f"source {path}",
            f". {path}",
            f"chmod +x {file}; {path}",
            f"chmod 755 {file} && {path}",
            f"bash < {file}",
            f"cat {file} | bash",
            f"bash -x {file} a",
            f'eval "$(cat {file})"',
            f'eval "$(<{file})"',
            f'bash -c "$(cat {file})"',
            f"timeout 5 bash {file}",
            f"env bash {file}",
            f"nohup bash {file}",
            f"(bash {file})",
            f"bash -c 'bash {file}'" if "$" not in file else f"bash {file}",
            f"exec bash {file}",
            f"bash {path} &\nwait",
            f"BASH_ENV={path} bash -c :",
            f"bash --rcfile {file} -i </dev/null",
            f"cp {file} z; bash z",
            f"mv {file} z && bash ./z",
            f"bash <(cat {file})",
            f"f() {{ bash {file}; }}; f",
            f"if bash {file}; then :; fi",
            f"x={file}; bash $x",
            f"chmod a+rx {file}; exec {path}",
            f'while read -r l; do eval "$l"; done < {file}',
            f"find . -maxdepth 0 -exec bash {file} \\;",
            f"xargs -I@@@ bash {file} <<< a",
            f"source /dev/stdin < {file}",
            f"install -m 755 {file} z; ./z",
            f"ln {file} z; bash z",
            f"PATH=.:$PATH; chmod +x {file}; {path}",
            f"bash {file} >/dev/null 2>&1",
            f"true; bash {file}",
            f"cat {file} | tee /dev/null | sh",
            f"bash {file[:-2]}*" if file.endswith(".sh") and "$" not in file else f"bash {file}",
        )
    )
    wrote = _written(line.text, file, rng)
    join = rng.choice(("; ", "\n", " && ")) if "\n" not in wrote[-6:] else "\n"
    return Line(f"{wrote}{join}{run}")


def by_name(line: Line, rng: Random, place: Place) -> Line | None:
    quoted = shlex.quote(f"#!/bin/bash\n{line.text}")
    return (
        Line(
            rng.choice(
                (
                    f"echo {quoted} > zz; chmod +x zz; PATH=$PWD:$PATH zz",
                    f"echo {quoted} > zz; chmod +x zz; export PATH=.:$PATH; zz",
                    f"mkdir -p b; echo {quoted} > b/ls; chmod +x b/ls; PATH=$PWD/b:$PATH; ls",
                    f"echo {quoted} > zz; chmod +x zz; env PATH=$PWD:$PATH zz",
                )
            )
        )
        if "\\" not in line.text
        else None
    )


def folder(line: Line, rng: Random, place: Place) -> Line | None:
    quoted = shlex.quote(line.text)
    if "\\" in line.text:
        return None
    return Line(
        rng.choice(
            (
                f"mkdir -p d && echo {quoted} > d/s.sh && bash d/s.sh",
                f"mkdir -p d; echo 'cd ..' > d/s.sh; echo {quoted} >> d/s.sh; cd d; bash s.sh",
                f"cd /tmp; echo {shlex.quote(f'cd {place.cwd}; ' + line.text)} > s.sh; cd - >/dev/null; bash /tmp/s.sh",
                f"d=$PWD; echo {quoted} > $d/s.sh; bash $d/s.sh",
                f"f=$(mktemp); echo {quoted} > $f; bash $f",
                f'f=$(mktemp); echo {quoted} > "$f"; . "$f"',
                f"echo {quoted} > s_{{a,}}b.sh".replace("{a,}", "a") + "; bash s_ab.sh",
            )
        )
    )


def python(line: Line, rng: Random, place: Place) -> Line | None:
    code = shlex.quote(f"import os\nos.system({json.dumps(line.text)})")
    if "\\" in code:
        return Line(f"cat > t.py {heredoc(f'import os{chr(10)}os.system({json.dumps(line.text)})', rng)}\npython3 t.py")
    return Line(
        rng.choice(
            (
                f"echo {code} > t.py; python3 t.py",
                f"printf '%s\\n' {code} > t.py && python3 ./t.py",
                f"python3 - < <(echo {code})",
                f"echo {code} > t.py; python3 < t.py",
                f"echo {code} | tee t.py; python3 t.py",
                f"echo {code} > t.py; python3 -m t",
                f"echo {code} > t.py; python3 -c 'import t'",
                f"echo {code} > t.py; python3 -c 'exec(open(\"t.py\").read())'",
                f"mkdir -p p; echo {code} > p/__main__.py; python3 p",
            )
        )
    )


def others(line: Line, rng: Random, place: Place) -> Line | None:
    text = json.dumps(line.text)
    if "\\" in text or "'" in line.text or not line.text.isascii():
        return None
    return Line(
        rng.choice(
            (
                f"echo 'require(\"child_process\").execSync({text})' > t.js; node t.js",
                f"echo 'BEGIN{{system({text})}}' > t.awk; awk -f t.awk",
                f"echo 'system {text}' > t.pl; perl t.pl"
                if "$" not in text and "@" not in text
                else f"echo 'BEGIN{{system({text})}}' > t.awk; awk -f t.awk",
                f"echo '1e {line.text}' > t.sed; echo a | sed -f t.sed",
                f"printf 'a:\\n\\t%s\\n' '{line.text}' > Makefile; make"
                if "$" not in text
                else f"echo '1e {line.text}' > t.sed; echo a | sed -f t.sed",
            )
        )
    )


NEEDS = {"others": ("make",)}
DISGUISES: dict[str, Disguise] = {form.__name__: form for form in (shell, by_name, folder, python, others)}

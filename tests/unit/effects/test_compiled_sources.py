"""A source that puts a file of secrets into what a compiler makes of it reads that file; headers are none."""

from __future__ import annotations

import pytest

from tests.unit.effects.test_scripts import decide


@pytest.mark.parametrize(
    ("line", "files"),
    [
        ("gcc -E k/x.c", {"k/x.c": '#include "../.env"\nint main() {}\n'}),
        ("cpp -I . k/x.c", {"k/x.c": "# include <.env>\n"}),
        ("gcc -c x.s -o x.o && strings x.o", {"x.s": 'a: .incbin ".env"\n'}),
        ("clang -c x.c", {"x.c": '__asm__(".incbin \\".env\\"");\n'}),
        ("as x.s -o x.o", {"x.s": '.include ".env"\n'}),
        ("nasm -f elf64 x.asm", {"x.asm": 'db: incbin ".env"\n'}),
        ("rustc m.rs && ./m", {"m.rs": 'fn main() { print!("{}", include_str!(".env")); }\n'}),
        ("echo '#include \".env\"' | cpp", {}),
        ("gcc -E -x c - <<< '#include \".env\"'", {}),
        ("printf '#include \".env\"' > x.c && gcc -E x.c", {}),
    ],
)
def test_a_file_of_secrets_that_a_source_includes_is_read(line: str, files: dict[str, str]) -> None:
    assert decide(line, files)[0] == "deny"


@pytest.mark.parametrize(
    ("line", "files"),
    [
        (
            "gcc -c x.c -o x.o",
            {"x.c": '#include <stdio.h>\n#include "x.h"\n#include "t.inc"\n', "x.h": "", "t.inc": ""},
        ),
        ("gcc -c x.c", {"x.c": '#include "VERSION"\n', "VERSION": "1"}),
        ("gcc -c x.c", {"x.c": '// #include ".env"\n'}),
        ("gcc -c x.c", {"x.c": '#include "missing.key"\n'}),
        ("g++ -std=c++20 -O2 src/main.cpp -o build/app", {"src/main.cpp": "#include <vector>\n"}),
        ("rustc m.rs", {"m.rs": 'const S: &str = include_str!("a.glsl");\n', "a.glsl": ""}),
    ],
)
def test_honest_sources_stay_silent(line: str, files: dict[str, str]) -> None:
    assert decide(line, files)[0] == "allow"

"""What the recorded outputs of tsc do not show."""

from __future__ import annotations

import pytest

from policy_engine.verification.readers.tsc import READER


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("src/[id]/page.tsx(3,5): error TS2322: Odd.", ("type_error", "src/[id]/page.tsx", 3)),
        ("a.ts(1,1): error TS7016: Could not find a declaration file for module 'x'.", ("import_error", "a.ts", 1)),
        ("error TS6053: File 'a.ts' not found.", ("import_error", None, None)),
        ("error TS5083: Cannot read file '/tsconfig.json'.", ("configuration", None, None)),
    ],
)
def test_the_number_names_the_class(text: str, expected: tuple[object, ...]) -> None:
    (found,) = READER.read(text)
    assert (found.error_class, found.file, found.line) == expected


def test_the_watcher_is_read_too() -> None:
    assert READER.claims(("vue-tsc", "--noEmit"))
    assert not READER.claims(("tsx", "a.ts"))

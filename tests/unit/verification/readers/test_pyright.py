"""What the recorded outputs of pyright do not show."""

from __future__ import annotations

from policy_engine.verification.readers.pyright import READER


def test_warnings_are_no_failures() -> None:
    text = (
        '/a.py\n  /a.py:1:1 - warning: "x" is not accessed (reportUnusedVariable)\n0 errors, 1 warning, 0 informations'
    )
    assert READER.read(text) == []


def test_a_missing_source_is_an_import_error() -> None:
    (found,) = READER.read(
        '  /a.py:1:8 - error: Import "yaml" could not be resolved from source (reportMissingModuleSource)'
    )
    assert (found.error_class, found.line, found.column) == ("import_error", 1, 8)

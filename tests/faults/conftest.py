"""The hosts and engines of the end-to-end tests, for the tests that inject faults."""

from __future__ import annotations

from tests.end_to_end.conftest import engine, folder, host, ready

__all__ = ["engine", "folder", "host", "ready"]

"""The hosts and engines of the end-to-end tests."""

from __future__ import annotations

from tests.end_to_end.conftest import engine, folder, host, ready, repository

__all__ = ["engine", "folder", "host", "ready", "repository"]

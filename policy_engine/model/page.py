"""The manual page of a diagnostic code or a lint: a value that reports and commands pass around."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Page:
    """`code` is `PE203` or a lint's kebab-case name, `title` one line without a period, `body` Markdown or empty."""

    code: str
    title: str
    body: str

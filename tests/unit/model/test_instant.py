"""RFC 3339 times: what there is no such day of is refused, and every time that is read is written back."""

from __future__ import annotations

import pytest

from policy_engine.model.errors import EventError
from policy_engine.model.instant import parse_time, time_text


@pytest.mark.parametrize(
    ("text", "ms"),
    [
        ("1970-01-01T00:00:00Z", 0),
        ("1970-01-01T00:00:00.0015Z", 1),
        ("1970-01-01T01:30:00+01:30", 0),
        ("1969-12-31T23:59:59.999Z", -1),
        ("2000-02-29T00:00:00Z", 951_782_400_000),
        ("2016-12-31T23:59:60Z", 1_483_228_800_000),
        ("0000-01-01T00:00:00Z", -62_167_219_200_000),
        ("0999-12-31T00:00:00Z", -30_610_310_400_000),
        ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
    ],
)
def test_a_time_is_read_and_written_back(text: str, ms: int) -> None:
    assert parse_time(text) == ms
    assert parse_time(time_text(ms)) == ms


@pytest.mark.parametrize(
    "text",
    [
        "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-00-01T00:00:00Z",
        "2026-13-01T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z",
        "2026-01-01T00:00:61Z", "2026-01-01 00:00:00Z", "2026-01-01T00:00:00", "2026-01-01T00:00:00.Z",
        "2026-01-01T00:00:00+1:00", "2026-01-01T00:00:00+01:0x", "9999-12-31T23:59:60Z", "0000-01-01T00:00:00+01:00",
        "2026-01-01T00:00:00Zx", "+026-01-01T00:00:00Z", "2026-01-01T00:00:0\u0661Z", "",
    ],
)  # fmt: skip
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(EventError):
        parse_time(text)

"""Convert RFC 3339 text to milliseconds since the epoch, and back. Imported by the hook path."""

from __future__ import annotations

import time

from policy_engine.model.errors import EventError

_DAYS: dict[str, int] = {}  # the few dates that a process sees, as days since the epoch
_MOST_DAYS = 64
_LENGTHS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_FIRST, LAST = -62_167_219_200_000, 253_402_300_799_999  # the years that have four digits in UTC, in ms


def parse_time(text: str) -> int:
    """Parse `2026-11-20T10:00:00[.fff](Z|±hh:mm)` to ms since the epoch (UTC). Raises EventError `E-TIME`."""
    try:
        if text[10] + text[13] + text[16] != "T::" or not text.isascii():
            raise ValueError
        day = text[:10]
        days = _DAYS.get(day)
        if days is None:
            days = _remember(day)
        hour, minute, second = int(text[11:13]), int(text[14:16]), int(text[17:19])
        if hour > 23 or minute > 59 or second > 60 or not (text[11:13] + text[14:16] + text[17:19]).isdigit():
            raise ValueError
        seconds = ((days * 24 + hour) * 60 + minute) * 60 + second
        millis = seconds * 1000 if text[19:] == "Z" else seconds * 1000 + _rest(text[19:])
        if not _FIRST <= millis <= LAST:
            raise ValueError
        return millis
    except (ValueError, IndexError):
        raise EventError("E-TIME", f"`time` `{text[:80]}` is not an RFC 3339 time") from None


def _remember(day: str) -> int:
    if day[4] + day[7] != "--" or not (day[:4] + day[5:7] + day[8:]).isdigit():
        raise ValueError
    year, month, number = int(day[:4]), int(day[5:7]), int(day[8:])
    if not (1 <= month <= 12 and 1 <= number <= _LENGTHS[month - 1]):
        raise ValueError
    if month == 2 and number == 29 and (year % 4 or (year % 100 == 0 and year % 400)):
        raise ValueError
    if len(_DAYS) >= _MOST_DAYS:
        _DAYS.clear()
    days = _DAYS[day] = _days(year, month, number)
    return days


def _rest(rest: str) -> int:
    """Fraction and offset, in ms."""
    millis = 0
    if rest.startswith("."):
        end = 1
        while rest[end : end + 1].isdigit():
            end += 1
        if end == 1:
            raise ValueError
        millis = int((rest[1:end] + "00")[:3])
        rest = rest[end:]
    return millis - _offset(rest) * 60_000


def _offset(rest: str) -> int:
    """Minutes east of UTC."""
    if rest in ("Z", "z"):
        return 0
    if len(rest) != 6 or rest[0] not in "+-" or rest[3] != ":" or not (rest[1:3] + rest[4:6]).isdigit():
        raise ValueError
    minutes = int(rest[1:3]) * 60 + int(rest[4:6])
    return minutes if rest[0] == "+" else -minutes


def _days(year: int, month: int, day: int) -> int:
    """Days since 1970-01-01 in the proleptic Gregorian calendar (Hinnant's days_from_civil)."""
    year -= month <= 2
    era = year // 400
    of_era = year - era * 400
    of_year = (153 * (month + (-3 if month > 2 else 9)) + 2) // 5 + day - 1
    return era * 146097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719468


def time_text(ms: int) -> str:
    """Format milliseconds since the epoch as RFC 3339 in UTC, which `parse_time` reads back to the same number."""
    seconds, millis = divmod(ms, 1000)
    year, month, day, hour, minute, second, *_ = time.gmtime(seconds)
    return f"{year:04d}-{month:02d}-{day:02d}T{hour:02d}:{minute:02d}:{second:02d}.{millis:03d}Z"

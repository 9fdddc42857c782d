"""What the recorded outputs of unittest do not show."""

from __future__ import annotations

import pytest

from policy_engine.verification.readers.unittest import READER

CHAINED = f"""\
{"=" * 70}
ERROR: test_a (tests.test_a.A)
{"-" * 70}
Traceback (most recent call last):
  File "/workspace/tests/test_a.py", line 5, in test_a
    {{}}["x"]
KeyError: 'x'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/workspace/tests/test_a.py", line 7, in test_a
    raise Odd("second\\nline")
shop.errors.Odd: second
line

{"-" * 70}
Ran 1 test in 0.000s
"""


def test_the_last_exception_of_a_chain_counts() -> None:
    (found,) = READER.read(CHAINED)
    assert (found.line, found.summary) == (7, "test_a: shop.errors.Odd: second")


@pytest.mark.parametrize(
    ("command", "claimed"),
    [
        (("unittest",), True),
        (("manage.py", "test"), True),
        (("manage.py", "migrate"), False),
        (("django-admin", "test", "shop"), True),
        (("python", "test_a.py"), False),
    ],
)
def test_django_runs_unittest_too(command: tuple[str, ...], claimed: bool) -> None:
    assert READER.claims(command) is claimed

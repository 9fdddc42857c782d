"""Run the command line: `python -I …/policy_engine/__main__.py`, or `python -m policy_engine`.

As a script it adds the folder that the package lies in to the end of the path: `-I` leaves the user's own
site-packages out.
"""

from __future__ import annotations

import sys


def run() -> int:
    """Run one command; return the exit status."""
    if not __package__:
        sys.path.append(__file__.rsplit("/", 2)[0])
    from policy_engine.cli import main

    return main()


if __name__ == "__main__":
    sys.exit(run())

"""`python -m policy_engine` → the command line."""

from __future__ import annotations

import sys

from policy_engine.cli import main

if __name__ == "__main__":
    sys.exit(main())

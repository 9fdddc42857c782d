"""The script that `policy serve` becomes: `python -I -S …/policy_engine/serve.py`, on the same path as a hook."""

import sys


def run(arguments: list[str]) -> int:
    """Serve until a signal comes; the exit status."""
    sys.path.append(__file__.rsplit("/", 2)[0])
    from policy_engine.serving.entry import main

    return main(arguments)


if __name__ == "__main__":
    raise SystemExit(run(sys.argv[1:]))

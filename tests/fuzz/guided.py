"""One target under atheris: `python -m tests.fuzz.guided TARGET CORPUS… -OPTION…`. Needs the extra `fuzz`."""

from __future__ import annotations

import sys

import atheris

from tests.fuzz.feeding import load


def main() -> None:
    name, *options = sys.argv[1:]
    with atheris.instrument_imports(include=["policy_engine"]):
        module = load(name)
        for data in module.SEEDS:  # imports that wait for their first use
            module.target(data)
    atheris.Setup([sys.argv[0], *options], module.target)
    atheris.Fuzz()


if __name__ == "__main__":
    main()

"""`policy serve`: becomes the resident engine."""

from __future__ import annotations

import os
from pathlib import Path

import click

import policy_engine
from policy_engine.loading.layers import base_interpreter, libraries


@click.command(short_help="Keep an engine resident that answers hooks.", epilog="Example: policy serve &")
def COMMAND() -> int:  # noqa: N802 -- the family finds a command by this name
    """Answer the hooks of this user until a signal (SIGTERM, SIGINT) ends it.

    `policy hook` asks it whenever it is there, and decides by itself whenever it is not: hooks need no other settings,
    and the answers are the same. Runs on Linux.
    """
    script = str(Path(policy_engine.__file__).resolve().with_name("serve.py"))
    interpreter = base_interpreter()
    os.execv(interpreter, [interpreter, "-I", "-S", script, *libraries()])

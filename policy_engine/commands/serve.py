"""`policy serve`: becomes the resident engine."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import click

import policy_engine
from policy_engine.hosts.layers import libraries
from policy_engine.loading.installation import base_interpreter
from policy_engine.model.errors import ConfigurationError

NEEDED = ("starlette", "uvicorn", "jinja2")


@click.command(short_help="Keep an engine resident that answers hooks.", epilog="Example: policy serve --http 7411")
@click.option(
    "--http", "port", metavar="PORT", type=click.IntRange(0, 65535), help="Listen on 127.0.0.1 too; 0 takes any port."
)
def COMMAND(port: int | None) -> int:
    """Answer the hooks of this user until a signal (SIGTERM, SIGINT) ends it.

    `policy hook` asks it whenever it is there, and decides by itself whenever it is not: hooks need no other settings,
    and the answers are the same. With `--http` it also answers hosts that call an address, and shows sessions,
    decisions and policies on a page; either needs the token that it writes into its folder. At a person's terminal it
    prints a code, with which one call that waits can be approved on the page. Runs on Linux.
    """
    missing = [name for name in NEEDED if port is not None and importlib.util.find_spec(name) is None]
    if missing:
        raise ConfigurationError(
            f"--http needs libraries that are not installed ({', '.join(missing)}): pip install 'policy_engine[serve]'"
        )
    script = str(Path(policy_engine.__file__).resolve().with_name("serve.py"))
    interpreter = base_interpreter()
    door = [] if port is None else [f"--http={port}"]
    os.execv(interpreter, [interpreter, "-I", "-S", script, *door, *libraries()])

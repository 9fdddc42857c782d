"""`policy completion`: print the script that completes `policy` in a shell."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from policy_engine.commands.base import CommandGroup, emit

VARIABLE = "_POLICY_COMPLETE"  # what the script sets when it asks


@click.command(
    short_help="Complete commands, hosts and codes in a shell.",
    epilog='Example: eval "$(policy completion bash)"',
)
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")), metavar="SHELL")
def COMMAND(shell: str) -> None:
    """Print the script that completes commands, options, hosts, packs and codes in SHELL: bash, zsh or fish.

    bash: `eval "$(policy completion bash)"` in `~/.bashrc` (4.4 or newer). zsh: `eval "$(policy completion zsh)"` in
    `~/.zshrc`, behind `compinit`. fish: `policy completion fish > ~/.config/fish/completions/policy.fish`.
    """
    made = get_completion_class(shell)
    assert made is not None
    emit(made(CommandGroup(), {}, "policy", VARIABLE).source())

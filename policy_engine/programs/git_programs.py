"""Name the settings of git whose value is a program, or a line for a shell. Imported by the hook path."""

from __future__ import annotations

_KEYS = frozenset(
    (
        "core.pager core.editor core.sshcommand core.fsmonitor core.askpass diff.external sequence.editor gpg.program "
        "credential.helper interactive.difffilter core.gitproxy uploadpack.packobjectshook imap.tunnel instaweb.httpd "
        "sendemail.smtpserver"
    ).split()
)
_ENDS = tuple(
    ".textconv command .clean .smudge .process .driver cmd .program .helper .uploadpack .receivepack .vcs hook".split()
)
"""Ends of keys, whatever git gets a command by in later versions: `gpg.ssh.defaultKeyCommand`."""

_HOOKS = ("core.hookspath", "init.templatedir")


def names_hooks(key: str) -> bool:
    """Return whether a setting, by its key in small letters, brings hooks, or other ones: also those of the folder
    that `git init` and `git clone` copy into a new `.git`.
    """
    return key in _HOOKS or key.startswith("hook.")


def starts_program(key: str) -> bool:
    """Return whether git starts what a setting, by its key in small letters, is given."""
    return key in _KEYS or key.endswith(_ENDS) or key.startswith(("pager.", "protocol.ext"))

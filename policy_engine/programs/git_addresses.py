"""Tell what git starts for an address: a command behind `ext::`, and the programs that options name for the other side.

Imported by the hook path when the words of git, or its settings, have such an address or option.
"""

from __future__ import annotations

from policy_engine.model.partial import is_one_field, shown
from policy_engine.model.quoting import quote_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.inline.effect_analysis import EffectAnalysis

TAKING = frozenset(
    (
        "archive clone config fetch fetch-pack http-fetch lfs ls-remote pull push remote remote-ext request-pull "
        "submodule subtree"
    ).split()
)
"""Subcommands that take addresses, `send-pack` aside; words of others (`git grep ext::Trait`) only look like one."""
_PROGRAMS = ("--upload-pack", "--receive-pack", "--exec", "--upload-archive")
_PUSHING = ("push", "subtree", "lfs")


def tell_started(verb: str, words: list[str], analysis: EffectAnalysis) -> None:
    """Tell the commands that a subcommand starts for its addresses: they run, whatever `protocol.ext.allow` says."""
    service = "receive-pack" if verb in _PUSHING else "upload-archive" if verb == "archive" else "upload-pack"
    if verb == "remote-ext":
        words = [f"ext::{word}" for word in words[1:2]]
    for place, word in enumerate(words):
        tell_command(word, analysis, service)
        option, equals, value = word.partition("=")
        if _names_program(verb, option):
            analysis.shell(value if equals else "".join(words[place + 1 : place + 2]))


def _names_program(verb: str, option: str) -> bool:
    """Return whether the value of an option, which may be shortened, is a command for the other side."""
    if option == "-u":
        return verb == "clone"
    if verb in ("config", "submodule", "remote", "lfs", "subtree", "request-pull"):
        return False
    return len(option) > 2 and option[:2] == "--" and any(name.startswith(option) for name in _PROGRAMS)


def tell_command(word: str, analysis: EffectAnalysis, service: str = "upload-pack") -> None:
    """Tell the command of an address behind `ext::`: a word, the value of an option, or the section of a setting."""
    start = word.find("ext::")
    if start < 0 or not (start == 0 or word[start - 1] == "=" or word[:start].lower() == "url."):
        return
    text = word[start + 5 :]
    if word[:4].lower() == "url.":
        text = text.rpartition(".")[0]
    if not is_one_field(text):
        analysis.doubt("*", f"which command `{shown(word)[:80]}` starts is not known")
    analysis.shell(quote_words(_words(text, service)))


def _words(text: str, service: str) -> list[str]:
    """Divide a text as `git remote-ext` does: at blanks, `% ` is one, `%%` is `%`, `%s` and `%S` name the service.

    A word that begins with `%G` or `%V` is for the protocol, not for the command.
    """
    words = [""]
    left = iter(text)
    for char in left:
        if char == " ":
            words.append("")
        elif char == "%":
            char = next(left, "")
            words[-1] += {"s": service, "S": f"git-{service}", "G": "%G", "V": "%V"}.get(char, char)
        else:
            words[-1] += char
    if words[-1] == "":
        words.pop()
    return [word for word in words if word[:2] not in ("%G", "%V")]

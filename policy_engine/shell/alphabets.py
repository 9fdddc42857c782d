"""Programs whose words decide of which kind their output is: a number, a name, a folder, a branch.

Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.partial import BRANCH, DIGITS, FOLDER, NAME, NUMBER, ONE, is_known
from policy_engine.model.undecided import Undecided
from policy_engine.shell.wrapping_words import options_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.shell.command import SimpleCommand

# calls that print one name, or one number; a word that ends in `=` may be continued
_NAMES = (
    "git rev-parse --short HEAD", "git rev-parse HEAD", "git rev-parse --short= HEAD", "git rev-parse --verify HEAD",
    "git rev-parse --short", "git write-tree", "git stash create", "whoami", "id -un", "id -gn", "hostname",
    "hostname -s", "uname", "uname -s", "uname -m", "uname -r", "uname -n", "uname -p", "arch", "uuidgen", "logname",
    "dpkg --print-architecture",
)  # fmt: skip
_NUMBERS = ("id -u", "id -g", "nproc", "getconf _NPROCESSORS_ONLN", "git rev-list --count HEAD", "sysctl -n hw.ncpu")
_IDENTIFIERS = (".databaseId", ".number", ".headRefOid", ".runNumber")  # fields of `gh … --jq`: one word each
_BRANCHES = (
    "go list",
    "go list ./...",
    "go list -m",
    "git branch --show-current",
    "git rev-parse --abbrev-ref HEAD",
    "git symbolic-ref --short HEAD",
)
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/~+")
_DETACHED = frozenset(("-d", "--detach", "-di", "-dt", "-dit", "-itd"))
# options of `docker run` without a value
_ALONE = _DETACHED | {"--rm", "-i", "-t", "-it", "--init", "--privileged", "-P"}
_COUNTS = ("-l", "-c", "-w", "-m", "--lines", "--bytes", "--words")
_ENVIRONMENTS = frozenset((
    *(f"{tool} init -{shell}" for tool in ("pyenv", "rbenv", "nodenv", "goenv", "jenv") for shell in
      ("", " bash", " zsh", " sh")), "pyenv virtualenv-init -", "pyenv init --path",
    *(f"{verb} {shell}" for verb in ("mise activate", "mise env -s", "starship init", "zoxide init") for shell in
      ("bash", "zsh")),
    "conda shell.bash hook", "conda shell.zsh hook", "micromamba shell hook --shell bash", "fnm env",
    "fnm env --use-on-cd", "mise env", "brew shellenv", "opam env", "ssh-agent", "ssh-agent -s", "minikube docker-env",
))  # fmt: skip
"""Calls that print how a shell finds what their tool installed, for `eval`: it then starts nothing itself."""
_DIGITS = "YmdHMSsNjuwyCVGgIU"  # letters of a format of `date` that stand for numbers
_WORDS = "abhpABZPz"


def alphabet(command: SimpleCommand) -> str:
    """The text that a command prints, with marks for what is known of its parts; `ONE` if nothing is."""
    argv = tuple(
        command.argv[:1] + tuple(f"{word.partition('=')[0]}=" if "=" in word else word for word in command.argv[1:])
    )
    call = " ".join(argv)
    if argv[0] == "date":
        return _date(command.argv[1:])
    if call in _NAMES:
        return NAME
    if call in _NUMBERS or (argv[0] == "wc" and len(argv) == 2 and command.feed is not None):
        return DIGITS if argv[0] == "wc" else NUMBER
    if argv[0] == "gh" and command.argv[-2] in ("-q", "--jq") and command.argv[-1].endswith(_IDENTIFIERS):
        return NAME
    if argv[0] == "wc" and len(argv) == 3 and argv[1] in _COUNTS:
        return f"{DIGITS} {command.argv[2]}\n" if set(command.argv[2]) <= _PLAIN else ONE
    if argv[0] in ("grep", "egrep", "fgrep", "rg"):
        return _numbered(command)
    if argv[0] in ("docker", "podman", "nerdctl") and _detaches(argv[1:]):
        return NAME
    if call in _BRANCHES:
        return BRANCH
    if not command.env and " ".join((argv[0].removeprefix("/opt/homebrew/bin/"), *command.argv[1:])) in _ENVIRONMENTS:
        return ":"
    if call in ("pwd", "pwd -P", "git rev-parse --show-toplevel"):
        try:
            folder = command.cwd.real
            return f"{FOLDER}{folder}" if argv[0] == "pwd" else _repository(command, folder)
        except Undecided:
            return ONE
    if argv[0] == "dirname" and len(argv) == 2 and is_known(command.argv[1]):
        path = command.argv[1].rstrip("/") or "/"
        folder, slash, _ = path.rpartition("/")
        return (folder.rstrip("/") or "/") if slash else "."
    return ONE


def _detaches(words: tuple[str, ...]) -> bool:
    """Return whether a container is started behind, of which the number is printed."""
    words = words[1:] if words[:1] == ("container",) else words
    flags = next((words[1:place] for place, word in enumerate(words) if place and word not in _ALONE), words[1:])
    return words[:1] == ("create",) or (words[:1] == ("run",) and not _DETACHED.isdisjoint(flags))


def _numbered(command: SimpleCommand) -> str:
    """The text of `grep -n` and `grep -c` about one file or what is fed: a number, of `-n` with the line."""
    options = options_of(list(command.argv[1:]), "em", ("regexp", "max-count"))
    if options is None or command.env or not all(set(flag[1:]) <= set("nciywxEFPGsoh") for flag in options.flags):
        return ONE
    patterns = any(option in ("-e", "--regexp") for option, _ in options.pairs)
    files = options.rest if patterns else options.rest[1:]
    if len(files) != (command.feed is None) or not all(set(file) <= _PLAIN for file in files):
        return ONE
    if options.has("-c"):
        return DIGITS
    return f"{DIGITS}:{ONE}\n" if options.has("-n") else ONE


def _repository(command: SimpleCommand, folder: str) -> str:
    """The folder of the repository that a folder lies in: the first with a `.git`."""
    filesystem = command.filesystem
    while True:
        if filesystem.present(filesystem.resolve(f"{folder.rstrip('/')}/.git", None)):
            return folder
        if folder == "/":
            return ONE
        folder = folder.rpartition("/")[0] or "/"


def _date(words: tuple[str, ...]) -> str:
    """The text of `date +FORMAT`."""
    formats = [word for word in words if word[:1] == "+"]
    if any(word.startswith(("-I", "--iso", "-R", "--rfc")) for word in words) or len(formats) != 1:
        return ONE
    printed, place, text = "", 0, formats[0][1:]
    whole = {"F": "Y-m-d", "T": "H:M:S", "R": "H:M"}
    while place < len(text):
        if text[place] != "%":
            printed += text[place]
            place += 1
            continue
        place += 1
        while text[place : place + 1] in ("-", "_", "0", "^") or text[place : place + 1].isdigit():
            if text[place] == "_":
                return ONE  # padded with blanks
            place += 1
        letter = text[place : place + 1]
        place += 1
        if letter in whole:
            printed += "".join(NUMBER if char.isalpha() else char for char in whole[letter])
        elif letter and letter in _DIGITS + _WORDS:
            printed += NUMBER if letter in _DIGITS else NAME
        else:
            return ONE
    return printed

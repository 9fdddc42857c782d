"""Work out what a command would do, from the model of its program and from the lines and files that it hands on.

A program without a model is opaque: it is known only by the words it is given. A word that names a program which can
do harm makes everything about it doubtful, a word that looks like a path is a mention. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.effects.environment_files import given_environment
from policy_engine.effects.git_aliases import with_aliases
from policy_engine.effects.handed_over import hand_over, read_redirects
from policy_engine.effects.masks import is_masked, names_only, sets_up
from policy_engine.effects.mentions import mention_all, mention_guards, on_machine
from policy_engine.effects.migrating import judge_migration
from policy_engine.effects.option_files import add_option_files
from policy_engine.effects.own_packages import changes_engine
from policy_engine.effects.put_in import judge_put_in
from policy_engine.effects.recipes import loaded_files
from policy_engine.effects.remote import tell_remote
from policy_engine.effects.script_sources import (
    fed_by_file,
    found_by_name,
    operands_behind,
    texts_left,
    texts_of,
    with_operands,
)
from policy_engine.effects.scripts import add_scripts, on_search_path
from policy_engine.effects.signalled import judge_signals
from policy_engine.effects.subcommands import (
    PIPE,
    begins_a_command,
    commands_within,
    escapes,
    follow,
    piped_values,
    texts_handed,
    texts_within,
    unknown_line,
    weigh,
)
from policy_engine.effects.tasks import STARTS_PROJECTS
from policy_engine.effects.tested_files import MEASURES
from policy_engine.effects.verbs import judge_verbs
from policy_engine.filesystem.paths import PathValue, is_systems
from policy_engine.inline.code import analyse
from policy_engine.inline.effect_analysis import EffectAnalysis
from policy_engine.inline.texts import texts_in
from policy_engine.inline.values import Start
from policy_engine.model.addresses import leads_to
from policy_engine.model.effects import ANY
from policy_engine.model.own_entries import ENTRIES, holds_secrets, speaks_to_engine
from policy_engine.model.partial import is_known, may_be_option, shown
from policy_engine.model.quoting import quote_words
from policy_engine.model.undecided import Undecided
from policy_engine.programs._rows import PACKAGE_FILES, TAKES_CODE
from policy_engine.programs.base import INTERPRETERS, find_program, named
from policy_engine.programs.secret_values import SECRETS
from policy_engine.programs.switches import STARTS_GIT, switches_hooks_off
from policy_engine.programs.variables import PRELOADED, STARTS, WRITES
from policy_engine.programs.waiting import waits
from policy_engine.shell.names import RUNS_ANOTHER
from policy_engine.shell.wrappers import MULTICALL, NOT_FOLLOWED, REMOTE, RUNNERS, WRAPPERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.programs.base import Program
    from policy_engine.shell.command import SimpleCommand

HARMFUL = frozenset(
    (
        "rm rmdir unlink shred dd mkfs sudo doas su git bash sh zsh dash ksh python python3 node perl ruby php "
        "eval exec chmod chown chgrp mv cp ln tee truncate kill pkill curl wget nc ssh scp rsync crontab npm npx "
        "pnpm yarn twine gh "
    ).split()
)
_OF_SHELLS = frozenset(("eval", "exec"))  # of which there are no other builds
_ELEVATES = named("elevates")
_SERVICES = named("service")
_CARRIERS = frozenset("ssh exec run run-command rsh enter".split())  # verbs that carry a command to another machine
_MOST_FED = 256
_MOST_GIVEN = 32  # names of files that code on the standard input is given one by one
_METADATA = ("169.254.169.254", "metadata.google.internal", "fd00:ec2::254", "100.100.100.200")
_PRINTING = "echo printf test [ true false : find basename dirname".split()  # their words are no options
_EVALUATES = {"-e", "--eval", "-p", "--print"}
_FETCHERS = ("npx", "bunx", "pnpx", "uvx", "pipx", "pnpm exec", "yarn exec", "npm exec", "bun x")
_TASK_RUNNERS = ("npm", "make", "just", "task", "rake")  # what code writes into their files may be a line for a shell
_NO_HOOKS = ("--no-verify", "--no-commit-hooks", "--skip-hooks", "--no-hooks")
_BRINGS = frozenset("checkout switch reset cherry-pick revert merge pull rebase stash".split())
_TAKING = frozenset(("add", "grep", "stash", "cat-file", "show"))  # verbs of git that added_files.py knows
_BRANCHES = frozenset(("push", "update-ref", "branch", "symbolic-ref", "fetch"))  # which served_branches.py knows
_PAGERS = ("less", "more", "most", "pg")  # which show nothing page by page where their output goes into a pipe


def analysis_of(command: SimpleCommand) -> EffectAnalysis:
    """Return what the command would do; worked out once. Raises Undecided if nothing at all can be said."""
    analysis = command.analysis
    if analysis is None:
        analysis = command.analysis = _analyze(command)
    return analysis


def _analyze(command: SimpleCommand) -> EffectAnalysis:
    analysis = _words_and_texts(command)
    paged = command.name in _PAGERS and any(command.name in one.piped_from for one in command.line)
    named = bool(command.via) and command.via[-1] in STARTS  # who starts it adds a file, or a host and a command
    alone = not (command.fed or paged or named)
    analysis.waits = alone and (analysis.waits or waits(command.argv, command.env))
    for redirect in command.redirects:
        path: PathValue = redirect.path  # type: ignore[attr-defined]
        analysis.paths.append(path)
        if path.access == "read":
            analysis.contents += [path, *analysis.other_names(path)]
    for path in [path for path in analysis.paths if path.access in ("write", "delete")]:
        analysis.paths += analysis.other_names(path)
    if "git" in (command.name, *command.argv, *command.piped_from) or any(one.name == "git" for one in command.before):
        from policy_engine.effects.overwritten_work import deletes_own_tags, loses_nothing, overwrites_work

        if command.name == "git" and "discards" in analysis.words:
            from policy_engine.effects.restored_files import restored_files

            if loses_nothing(command):
                del analysis.words["discards"]
            if (files := restored_files(command)) is not None:
                analysis.paths = [path for path in analysis.paths if path.access != "write"] + files
        if command.name == "git" and "discards" in analysis.doubts and deletes_own_tags(command):
            del analysis.doubts["discards"]
        if overwrites := overwrites_work(command, analysis, analysis_of):
            analysis.does("discards")
        elif overwrites is None:
            analysis.doubt("discards", "which version goes where is not known")
    if "executes" in analysis.words and "elevates" not in analysis.words:
        _elevating_value(command, analysis)
    if any(path.access != "read" for path in analysis.paths) and any(map(_looks_up_engine, command.sources)):
        analysis.does("controls-engine")
    if (
        any(path.known and path.real.endswith(ENTRIES) for path in analysis.runs)
        or any(path.known and holds_secrets(path.real, False) for path in analysis.contents)
        or any(path.known and holds_secrets(path.real, True) for path in analysis.searched)
        or speaks_to_engine(
            command.name, command.argv, analysis.opaque or "network" in analysis.words or ANY in analysis.doubts
        )
    ):
        analysis.does("controls-engine")
        analysis.opaque = False  # this much is known of it
    if reason := command.unsure:
        from policy_engine.effects.other_readings import add_other_reading

        add_other_reading(command, analysis)
        analysis.perhaps(reason, [redirect.path for redirect in command.redirects])  # type: ignore[attr-defined]
    return analysis


def _elevating_value(command: SimpleCommand, analysis: EffectAnalysis) -> None:
    """Doubt a command that starts others where an option or a setting names what gives more rights."""
    for before, word in zip(command.argv, command.argv[1:], strict=False):
        value = word.rpartition("=")[2].strip("'\"").rpartition("/")[2]
        if value in _ELEVATES and ("=" in word or before[:1] == "-"):
            analysis.doubt("elevates", f"`{word[:80]}` may name what it starts its commands with")


def _looks_up_engine(text: str) -> bool:
    """A substitution that gives the place of the engine's own command."""
    words = text.strip("$`()").split()
    return words[-1:] == ["policy"] and words[0] in ("which", "command", "type", "whereis", "realpath")


def _words_and_texts(command: SimpleCommand) -> EffectAnalysis:
    """Return what its words say, and the lines and files that it hands on; its redirections are not in it."""
    program = find_program(command.name)
    name = "" if program is None else program.name
    if program is None:
        analysis = _opaque(command)
        _choices(command, analysis)
    else:
        try:
            analysis = program.effects(
                with_aliases(command) if command.name == "git" else command.arguments(),
                _folder(command),
                command.filesystem,
                _assigned(command),
                command.name,
                (program.feeds and fed_by_file(command, analysis_of)) or command.feed,
                lambda file: texts_left(file, command, analysis_of),
            )
            judge_put_in(command, analysis, analysis_of)
            _left_over(command, program, analysis)
            _fed(command, name, analysis)
            if command.name in ("cut", "awk") and names_only(command):
                analysis.contents = []
        except Undecided as unknown:
            analysis = _doubtful(command, unknown.reasons[0], program.worst)
        _environment(command, analysis)
        if "/" in command.argv[0] and is_known(command.argv[0]) and not is_systems(command.argv[0]):
            analysis.runs.append(analysis.path(command.argv[0], "read"))  # a file that is only called like the program
    mention_guards(analysis)
    analysis.paths += [analysis.path(analysis.env[name], "write") for name in WRITES if analysis.env.get(name)]
    for names in filter(None, (analysis.env.get(name) for name in PRELOADED)):
        analysis.runs += [analysis.path(text, "read") for text in names.replace(":", " ").split() if "/" in text]
    analysis.runs += on_search_path(command, analysis, program is not None)
    _written(command, name, analysis)
    starts = program is None or not STARTS_PROJECTS.isdisjoint((command.name, analysis.name))
    if analysis.runs or "executes" in analysis.words or starts or command.name in MEASURES:
        add_scripts(command, name, analysis, analysis_of)
    if _shows_secret(command, program):
        analysis.does("discloses")
        analysis.opaque = False
    elif "discloses" in analysis.words and (
        sets_up(command) or (command.name in _ENVIRONMENTS and is_masked(command, analysis_of))
    ):
        analysis.words.pop("discloses")
    _reaches(command, analysis)
    _switches(command, analysis)
    for line in analysis.lines:
        follow(line, command, analysis, analysis_of)
    if name in INTERPRETERS and "network" in analysis.words:
        fetched = {path.real for path in analysis.paths if path.access == "write" and path.known}
        if any(file.known and file.real in fetched for file in analysis.runs):
            analysis.does("executes-remote")  # the code starts a file that it writes, and it fetches
    for code in analysis.codes:
        tell_remote(code, analysis, False)
    judge_migration(command, analysis)
    hand_over(command, judge_verbs(command, analysis), analysis, analysis_of)
    for text in _guesses(command, name, analysis):
        weigh(text, command, analysis, analysis_of)
    return analysis


_ENVIRONMENTS = frozenset("env printenv export declare make gmake terraform tofu systemctl".split())
"""Programs that print all variables, properties or outputs."""


def _reaches(command: SimpleCommand, analysis: EffectAnalysis) -> None:
    """The engine's processes, where something is killed on a line that names them; files and packages that come from
    elsewhere; the credentials of the machine.
    """
    judge_signals(command, analysis)
    changes_engine(command, analysis)
    if command.name == "git" and not _BRANCHES.isdisjoint(command.argv):
        from policy_engine.effects.served_branches import judge_branches

        judge_branches(command, analysis)
    if command.name == "git" and not _TAKING.isdisjoint(command.argv):
        from policy_engine.effects.added_files import added_files

        analysis.contents += added_files(command, analysis.cwd, analysis.env)
    if command.name == "git" and not _BRINGS.isdisjoint(command.argv):
        from policy_engine.effects.brought_files import brought_files

        analysis.paths += brought_files(command, analysis)
    if command.name in PACKAGE_FILES:
        from policy_engine.effects.package_sources import judge_sources

        judge_sources(command, analysis, analysis_of)
    if command.name in TAKES_CODE:
        from policy_engine.effects.code_elsewhere import judge_addresses

        judge_addresses(command, analysis)
    if "kills" in analysis.words and any(map(_names_engine, (*command.line, command))):
        analysis.does("controls-engine")
    analysis.contents += given_environment(command, analysis)
    if "network" in analysis.words and any(map(_names_metadata, command.argv[1:])):
        analysis.does("discloses")


def _names_metadata(word: str) -> bool:
    """Return whether a word is, or holds, an address that gives out the credentials of a machine."""
    word = shown(word)
    if not (any(map(str.isdigit, word)) or "meta" in word or "instance-data" in word):
        return False
    return leads_to(word, "metadata") or any(address in word for address in _METADATA)


def _names_engine(command: SimpleCommand) -> bool:
    return any(
        word == "policy" or any(name in word for name in ("policy-engine", "policy_engine", "policy serve"))
        for word in command.argv[1:]
    )


def _assigned(command: SimpleCommand) -> tuple[str, ...]:
    """The assignments before it, and one that another command of the line makes for all that follow."""
    if _looked_at[0][0] is not command.line:  # each command of a line asks
        _looked_at[0] = command.line, any("POSIXLY_CORRECT" in one.text for one in command.line)
    return (*command.env, "POSIXLY_CORRECT=1") if _looked_at[0][1] else command.env


_looked_at: list[tuple[tuple[SimpleCommand, ...], bool]] = [((), False)]
"""The line that was looked at last, with whether it sets that variable."""


def _left_over(command: SimpleCommand, program: Program, analysis: EffectAnalysis) -> None:
    """Mention what the model did not read of the words, as is done for a program without a model."""
    if program.changes_folder(command.arguments().operands) and not analysis.informs and _outside(analysis):
        analysis.mention(".")
    looks = program.read_only or program.looks or analysis.looks
    complete = program.complete or analysis.complete
    if complete and not looks and not analysis.complete and any(map(may_be_option, command.argv[1:])):
        complete = False  # behind an option that is not known any word may be its value
    if analysis.informs:
        return
    seen = (*analysis.paths, *analysis.contents, *analysis.mentions, *analysis.runs, *analysis.searched)
    read = {path.text for path in seen}
    read.update(text.rstrip("/") for text in tuple(read))
    runs_another = command.name in RUNS_ANOTHER and command.name not in REMOTE
    if (complete or looks or program.name in INTERPRETERS) and not (runs_another or command.name in _PRINTING):
        add_option_files(program, command.arguments(), analysis)
    if complete or runs_another or (looks and not command.arguments().strange):
        return
    words = _words_before_started(command) if command.name in REMOTE else _own_words(command)
    if program.name in INTERPRETERS:
        words = tuple(command.arguments().operands) if not program.raw else () if "eval" in words else words
    mention_all(on_machine(words) if program.name == "docker" else words, analysis, frozenset(read))


def _outside(analysis: EffectAnalysis) -> bool:
    """Return whether it is known to work outside the workspace."""
    try:
        return analysis.cwd.known and analysis.filesystem.relative(analysis.cwd) is None
    except Undecided:
        return False


def _written(command: SimpleCommand, name: str, analysis: EffectAnalysis) -> None:
    """Add what the command runs from a file that the line itself wrote before."""
    if found_by_name(command, analysis_of):
        unknown_line(command.text, f"the line writes what `{command.name[:80]}` may start", analysis)
    for file in tuple(analysis.runs) if command.line else ():
        for text in texts_of(file, command, analysis_of):
            operands = operands_behind(file, command, analysis)
            analysis.opaque = False
            from policy_engine.effects.recipes import language_of_shebang

            language = name or language_of_shebang(text)
            if language in INTERPRETERS and is_known(text):
                _analysed(text, analysis, Start(file.text, operands))
            elif language in ("sh", "source"):
                follow(with_operands(text, operands, {}), command, analysis, analysis_of)
            elif not is_known(text) or command.name not in STARTS_PROJECTS:  # whose files are read as such
                unknown_line(file.text, f"what `{file.text[:80]}` holds, which the line writes, is not known", analysis)


def _analysed(code: str, analysis: EffectAnalysis, start: Start | None = None) -> None:
    before = len(analysis.paths)
    analyse(code, analysis, start=start)
    analysis.finish(False, before)


def _guesses(command: SimpleCommand, name: str, analysis: EffectAnalysis) -> list[str]:
    """Texts that it may run, so far as nothing says what it does with them."""
    guesses = list(analysis.guesses)
    if command.name in RUNS_ANOTHER and command.name not in NOT_FOLLOWED:
        return guesses + piped_values(_own_words(command))
    if name in INTERPRETERS or (command.name == "bun" and _EVALUATES & set(command.argv)):
        written = {path.text.rpartition("/")[2] for path in analysis.paths if path.access == "write"}
        tasks = {file for runner in _TASK_RUNNERS for file in loaded_files(runner)[1]}
        return (
            guesses
            if written.isdisjoint(tasks)
            else guesses + [one for code in analysis.codes for one in texts_in(code, 1)]
        )
    if command.feed is not None and name != "vim":  # which says where in its input a command stands
        guesses += commands_within(command.feed)
    if command.name in NOT_FOLLOWED and all(map(is_known, command.argv)):
        words = list(command.argv[1:])
        while words and words[0][:1] == "-":
            words.pop(0)
        guesses.append(quote_words(words))
    if analysis.opaque:
        own = _own_words(command)
        guesses += [
            quote_words(list(own[place:]))
            for place, word in enumerate(own)
            if word.rpartition("/")[2] in HARMFUL and not _is_label(word, command)
        ]
    followed = any(one.via[-1:] and one.via[-1].partition(" ")[0] == command.name for one in command.line)
    if command.name in _SERVICES and not followed and not _CARRIERS.isdisjoint(command.argv[1:4]):
        carried = command.argv[2:]
        tails = [quote_words(list(carried[place:])) for place, word in enumerate(carried) if word in HARMFUL]
        guesses += [text for text in (*carried, *tails) if is_known(text) and begins_a_command(text)]
    if analysis.opaque or ("executes" in analysis.words and not analysis.lines):
        given = (command.argv[0], *_words_before_started(command))
        guesses += texts_within(given[1:])
        guesses += [word for place, word in enumerate(given[1:]) if given[place] in ("-e", "-c")]
    return guesses + escapes(command.argv)


def _is_label(word: str, command: SimpleCommand) -> bool:
    """Return whether a word with a slash, such as `p/python`, names no file that is there or that its line may make."""
    if "/" not in word or word[:1] in "/.~" or any(word in one.text for one in command.before):
        return False
    try:
        return not command.filesystem.present(command.filesystem.resolve(word, command.cwd.real))
    except Undecided:
        return False


def _folder(command: SimpleCommand) -> PathValue:
    """Return where it runs; unknown if nobody can say, so that absolute paths still count."""
    try:
        return command.cwd
    except Undecided as unknown:
        return PathValue.unknown(".", unknown.reasons[0])


def _fed(command: SimpleCommand, name: str, analysis: EffectAnalysis) -> None:
    """An interpreter that is given its code by a here-document, or by what prints literal words."""
    if analysis.told and command.feed:
        words = texts_in(command.feed, 1) + (_words_of(command.feed) if analysis.told == "words" else [])
        mention_all(tuple(words[:_MOST_FED]), analysis)
    if "executes-input" in analysis.words:
        analysis.runs += read_redirects(command)
    if "executes-input" not in analysis.words or command.feed is None:
        return
    if not is_known(command.feed):  # where it comes from is what rules ask; these print what the line says
        if command.name not in RUNS_ANOTHER and all(name in ("echo", "printf") for name in command.piped_from):
            analysis.doubt(ANY, f"what `{command.name[:80]}` is given to run is not known")
        return
    if all(program == "cat" for program in command.piped_from):
        analysis.words.pop("executes-input", None)  # it stands on the line as it is, and is read here
    if name == "make":
        lines = command.feed.split("\n")
        recipes = [line for line in lines if line[:1] == "\t"]
        recipes += [line.partition(":")[2].partition(";")[2] for line in lines if ";" in line.partition(":")[2]]
        analysis.lines += [line.strip().lstrip("@-+").replace("$$", "$") for line in recipes]
    elif name in INTERPRETERS or command.name == "bun":
        given = command.arguments().operands[1:]
        words = analysis.expand(given)
        if len(words) > _MOST_GIVEN:
            words = given
        _analysed(command.feed, analysis, Start("-", tuple(words)))
        for word in words if len(given) == 1 and len(words) > 1 else ():  # a loop gives it one after the other
            _analysed(command.feed, analysis, Start("-", (word,)))
    elif command.name not in RUNS_ANOTHER:
        from policy_engine.effects.build_files import commands_in

        analysis.lines += [line for line, _ in commands_in("input", command.feed, command.argv)]
        analysis.guesses.append(command.feed)


def _doubtful(command: SimpleCommand, reason: str, worst: str | None = None) -> EffectAnalysis:
    """A analysis of which only the worst is known: anything, unless the program's model knows better."""
    analysis = EffectAnalysis(_folder(command), command.filesystem, command.name, command.env)
    if worst is not None and is_known(command.argv[0]):
        analysis.fear(reason, worst)
        return analysis
    analysis.fear_all(command.text, reason)
    return analysis


def _opaque(command: SimpleCommand) -> EffectAnalysis:
    name, words = command.name, _own_words(command)
    suspicious = _suspicious(name, words, bool(command.via) and command.via[-1] in _FETCHERS)
    for item in command.env:
        if item.partition("=")[2].rpartition("/")[2] in _ELEVATES:
            suspicious = suspicious or f"`{name[:80]}` is not known, and may use `{item[:80]}`"
    if suspicious:
        return _doubtful(command, suspicious)
    analysis = EffectAnalysis(_folder(command), command.filesystem, name, command.env)
    # a wrapper touches nothing itself: what it starts is a command of the line
    analysis.opaque = not (
        (name in WRAPPERS or name in RUNS_ANOTHER or name == "time") and len(words) < len(command.argv) - 1
    )
    if "/" in command.argv[0] and not is_systems(command.argv[0]):
        analysis.runs.append(analysis.path(command.argv[0], "read"))
    elif name.lower().endswith((".exe", ".bat", ".cmd", ".ps1")):
        analysis.runs.append(analysis.path(name, "read"))  # of another system, which looks in the folder first
    handed = texts_handed(command, analysis)
    analysis.guesses += [line for text in handed for line in text.split("\n")][:_MOST_FED]
    mention_all(tuple(word.replace(PIPE, "") for word in words) if handed else words, analysis)
    for text in (command.feed, *handed):
        if text is not None and is_known(text):
            mention_all(tuple(_words_of(text))[:_MOST_FED], analysis)
    return analysis


def _words_of(text: str) -> list[str]:
    """The words of a text of a language that is not known: what stands between blanks, quotes and brackets."""
    return "".join(" " if char in "\"'`()[]{}<>;,|&" else char for char in text).split()


def _own_words(command: SimpleCommand) -> tuple[str, ...]:
    """Its words without those of the command that it starts, which is one of the line itself."""
    argv, name = command.argv, command.name
    for other in command.line if len(argv) > 1 else ():
        if other.via and name in other.via and _ends_with(argv, other.argv):
            return argv[1 : -len(other.argv)]
    return argv[1:]


def _ends_with(words: tuple[str, ...], others: tuple[str, ...]) -> bool:
    """Return whether words end with others, and have more before them."""
    return 0 < len(others) < len(words) and others == words[-len(others) :]


def _words_before_started(command: SimpleCommand) -> tuple[str, ...]:
    """Return its words up to those of a command that it starts by a verb: `uv run`, `npm exec`, `docker exec`."""
    argv, name = command.argv, command.name
    for other in command.line:
        started = other.via and any(via.partition(" ")[0] == name for via in other.via)
        if started and _ends_with(argv, other.argv):
            return argv[1 : -len(other.argv)]
    return _own_words(command)


def _suspicious(name: str, words: tuple[str, ...], fetched: bool) -> str:
    """Return why a program without a model may be more than it seems, "" if nothing says so; `fetched`: it is a package
    of a registry, and no program of this machine under another name.
    """
    if not is_known(name):
        return f"which program `{shown(name)[:80]}` is, is not known"
    if name in WRAPPERS or name in RUNNERS or name in MULTICALL:
        return ""  # what they start is a command of its own
    if not name.isascii() or not name.isprintable():
        return f"`{name[:80]!r}` has characters that do not show what it is"
    if name[:1] == "-" or len(name) > 255:
        return f"`{name[:80]}` is no name of a program"
    if name.lower() != name and (name.lower() in HARMFUL or find_program(name.lower()) is not None):
        return f"`{name[:80]}` may be `{name.lower()[:80]}`"
    for known in () if fetched else HARMFUL - _OF_SHELLS:
        before = name.removesuffix(known)
        if len(known) > 2 and before != name and "/" not in name and (len(before) == 1 or _marks_build(before, known)):
            return f"`{name[:80]}` is not known, and called like `{known}`"
    for word in words:
        if word in _NO_HOOKS:
            return f"`{name[:80]}` is not known, and `{word}` may leave out git hooks"
    tail = next((words[place:] for place, word in enumerate(words) if word.rpartition("/")[2] in HARMFUL), ())
    if tail and not all(map(is_known, tail)):
        return f"`{name[:80]}` is not known, and may start `{tail[0][:80]}`"
    return ""


def _marks_build(before: str, known: str) -> bool:
    """Return whether what stands before the name of a program may mark another build of it: `uu-`, `my`; `re`, as in
    `renode`, makes another word of it. Programs that stand before git have names that end in its own.
    """
    return len(before) < 4 and (known == "git" or before == "my" or not before.isalpha())


def _shows_secret(command: SimpleCommand, program: Program | None) -> bool:
    """Return whether it prints a variable that is called like a secret, from its words or from a here-document, or
    all variables without a model that says so.
    """
    if program is None:
        return (command.name, *command.argv[1:3]) == ("cmake", "-E", "environment")
    if program.name in ("echo", "printf"):
        return _names_secret(command.text)
    return "<<" in command.text and program.shows_content and _names_secret(command.text.partition("<<")[2])


def _names_secret(text: str) -> bool:
    """Return whether a variable in the text is called like a secret."""
    for piece in text.split("$")[1:]:
        name = piece.lstrip("{!#")
        end = 0
        while end < len(name) and (name[end].isalnum() or name[end] == "_"):
            end += 1
        has_reason = piece[:1] == "{" and (
            name[end:].startswith((":+", "+")) or piece[1:2] == "#"
        )  # that it is set, its length
        if not has_reason and any(part in name[:end].upper() for part in SECRETS):
            return True
    return False


def _choices(command: SimpleCommand, analysis: EffectAnalysis) -> None:
    """Values of variables that programs take for the command to start."""
    from policy_engine.shell.patterns import decides

    for item in command.env:
        variable, _, value = item.partition("=")
        if decides(variable) and variable != "PATH":
            analysis.guesses.append(value)


def _switches(command: SimpleCommand, analysis: EffectAnalysis) -> None:
    """Variables that switch git hooks off, for a program that may start git."""
    starts = command.name in STARTS_GIT or analysis.opaque or analysis.runs or "executes" in analysis.words
    if not command.env or command.name == "git" or not starts:
        return
    if switches_hooks_off(analysis.env, command.name in STARTS_GIT) is not False:
        analysis.opaque = False
        analysis.doubt("skips-hooks", f"`{command.name[:80]}` may start git, without its hooks")


def _environment(command: SimpleCommand, analysis: EffectAnalysis) -> None:
    """Assignments before a command that choose other code under its name."""
    from policy_engine.shell.patterns import decides

    for item in command.env:
        variable, _, value = item.partition("=")
        if variable.startswith("POLICY_"):
            analysis.does("controls-engine")
        if value.rpartition("/")[2] in _ELEVATES:
            analysis.doubt("elevates", f"`{item[:80]}` may name what it starts its commands with")
        if not decides(variable):
            continue
        analysis.guesses.append(value)
        if not variable.startswith("GIT_") and "executes" not in analysis.words:
            analysis.does("executes")

"""`git`: its own options and what they configure; each subcommand that matters is a member `git_NAME`.

Settings of the call (`-c`, `--config-env`, `GIT_CONFIG_*`) can name aliases, hooks and programs: they count as much as
the subcommand. A subcommand that is not known may be an alias: of the settings on the disk, or of others.
"""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.limits import READ_BYTES
from policy_engine.model.partial import is_known, may_be_option, shown
from policy_engine.model.quoting import quote_words
from policy_engine.model.undecided import Undecided
from policy_engine.programs.base import Arguments, EffectAnalysis, find_program, is_scratch
from policy_engine.programs.git_addresses import TAKING, tell_command, tell_started
from policy_engine.programs.git_commits import guards_changed
from policy_engine.programs.git_index import removed_tests
from policy_engine.programs.git_pathspecs import PRESENT, SWITCHES, TRACKED, fitted
from policy_engine.programs.git_programs import names_hooks, starts_program
from policy_engine.programs.git_settings import embedded_around, repository_around, settings_in, settings_of, user_files
from policy_engine.programs.switches import switches_hooks_off

_PLAIN = frozenset(
    (
        "add bundle check-attr check-ignore cherry-pick count-objects describe fetch for-each-ref "
        "format-patch fsck gc help hash-object ls-files ls-tree maintenance merge merge-base merge-file "
        "name-rev notes pack-refs range-diff reflog remote repack replace rerere rev-list rev-parse revert "
        "shortlog show-branch show-ref sparse-checkout status stripspace symbolic-ref var verify-commit "
        "verify-tag version write-tree commit-tree mktree update-index ls-remote archive "
        "rebase cherry interpret-trailers merge-tree mktag credential-cache "
        "request-pull send-email column backfill refs commit-graph multi-pack-index get-tar-commit-id "
        "unpack-objects index-pack pack-objects verify-pack check-mailmap check-ref-format difftool--helper "
        "fmt-merge-msg merge-index patch-id "
    ).split()
)
_LOOKS = frozenset(
    (
        "blame cat-file check-attr check-ignore check-mailmap cherry count-objects describe diff-files diff-index "
        "diff-tree for-each-ref fsck help log ls-files ls-remote ls-tree merge-base name-rev range-diff rev-list "
        "rev-parse shortlog show show-branch show-ref status var verify-commit verify-tag version whatchanged add "
        "diff grep annotate push fetch pull commit merge rebase cherry-pick revert rerere reflog remote"
    ).split()
)
"""Subcommands whose words name revisions, or files that the model reads."""
_OUTPUT = ("log", "show", "diff", "format-patch", "archive", "range-diff", "diff-tree", "stash", "bundle", "shortlog")
_WRITING = ("archive", "bundle", "format-patch", "maintenance", "notes", "reflog", "remote")  # as their first word says
_NETWORK = ("fetch", "pull", "ls-remote", "push", "remote")
_RUNS = ("--exec", "--open-files-in-pager", "-O")
_ONLY_LOOKS = frozenset(
    "log show diff status blame ls-files ls-tree rev-parse rev-list describe shortlog grep cat-file".split()
)
_CHECKS_OUT = frozenset("checkout restore reset switch read-tree checkout-index stash pull merge rebase revert".split())
_BRINGS_COMMITS = frozenset("checkout switch reset revert cherry-pick merge pull rebase stash bisect".split())
_LISTS = ("--pathspec-from-file", "--exclude-from", "--contents", "--stdin-paths-from")  # files of names
_HIDES = {"--skip-worktree", "--assume-unchanged"}  # changes of the file are not seen any more
_HOOKS = (
    "pre-receive update post-receive post-update reference-transaction push-to-checkout proc-receive "
    "post-index-change pre-commit prepare-commit-msg commit-msg post-commit pre-merge-commit post-merge pre-push "
    "pre-rebase post-checkout post-rewrite applypatch-msg pre-applypatch post-applypatch pre-auto-gc".split()
)
_HOMES = ("/usr/", "/opt/", "/Applications/")  # where git's own programs are


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    _environment(analysis, "".join(arguments.operands[:1]))
    for folder in (analysis.env.get("GIT_EXEC_PATH"), arguments.last("--exec-path")):
        if folder and not folder.startswith(_HOMES):
            analysis.doubt("*", f"git starts the programs of `{shown(folder)[:80]}` for its own")
    foreign, start = _foreign(arguments, analysis), analysis.cwd
    named = analysis.path(foreign, "read") if foreign else None
    for name, value in arguments.options:
        if name == "-C" and value is not None:
            analysis.cwd = analysis.path(value, "read")
        elif name == "-c" and value is not None:
            _setting(value.partition("=")[0], value.partition("=")[2], analysis)
        elif name == "--config-env" and value is not None:
            _setting(value.partition("=")[0], "", analysis, "its value comes from the environment")
        elif name in SWITCHES:
            analysis.env[SWITCHES[name]] = "1"
        elif name in ("-p", "--paginate"):
            analysis.does("executes")  # the pager is a program of the settings
        elif name == "--git-dir" and value is not None:
            analysis.cwd = analysis.path(f"{value}/..", "read")
        elif name == "--work-tree" and value is not None:
            analysis.cwd = analysis.path(value, "read")
    if not arguments.operands:
        return []
    if not is_known(arguments.operands[0]):
        raise Undecided(f"which subcommand `{shown(arguments.operands[0])[:80]}` is, is not known")
    verb, words = arguments.operands[0], arguments.operands[1:]
    _tell_embedded(named, analysis)
    if verb == "push":
        for remote in [word for word in words if word[:1] != "-"] or ["origin"]:
            _tell_hooks(remote, analysis)
    if verb in TAKING:
        tell_started(verb, words, analysis)
    moved = guards_changed(verb, words, analysis) if verb in _BRINGS_COMMITS else []
    paths = _subcommand(verb, words, analysis) + moved
    if foreign and arguments.operands[0] in _CHECKS_OUT:
        analysis.cwd = start
        paths += analysis.unpacks(
            foreign, "".join(arguments.values("--work-tree")[-1:]) or analysis.env.get("GIT_WORK_TREE", "")
        )
    if "discards" in {**analysis.words, **analysis.doubts} and _throws_scratch_away(arguments.operands[0], analysis):
        analysis.words.pop("discards", None)
        analysis.doubts.pop("discards", None)
    return paths


def _foreign(arguments: Arguments, analysis: EffectAnalysis) -> str:
    """The repository whose files git puts over those of this folder, "" where it is the folder's own.

    Without a work tree, that of a repository that is named by itself is the folder in which git runs.
    """
    given = analysis.env.get("GIT_DIR", "")
    for name, value in arguments.options:
        given = value if name == "--git-dir" and value else given
    if not given:
        return ""
    path, own = analysis.path(given, "read"), analysis.path(".git", "read")
    return "" if path.known and path.real == own.real else given


def _tell_embedded(given: PathValue | None, analysis: EffectAnalysis) -> None:
    """Tell what a repository starts that lies among the files: the folder that is given, or the one around."""
    try:
        if given is None:
            folder = embedded_around(analysis, analysis.cwd.real) if analysis.cwd.known else ""
        else:
            folder = given.real if given.known else ""
    except Undecided:
        return
    _tell_settings(folder, analysis)


def _tell_settings(folder: str, analysis: EffectAnalysis) -> None:
    """Tell what the settings and the hooks of a repository start whose folder is no `.git`, which is guarded itself."""
    if not folder or ".git" in folder.lower().split("/"):
        return
    head = analysis.text_in(analysis.path(f"{folder}/HEAD", "read"), READ_BYTES)
    if head is None or not (head.startswith("ref:") or head.strip().isalnum()):
        return
    config = analysis.path(f"{folder}/config", "read")
    text = analysis.text_in(config, READ_BYTES)
    try:
        for key, value in settings_of(text, folder) if text is not None or analysis.filesystem.present(config) else ():
            if key != "core.worktree":
                _setting(key, value, analysis)
    except Undecided as unknown:
        analysis.doubt("*", unknown.reasons[0])
    hooks = [analysis.path(f"{folder}/hooks/{name}", "read") for name in _HOOKS]
    analysis.runs += [hook for hook in hooks if analysis.text_in(hook, READ_BYTES) is not None]


def _tell_hooks(remote: str, analysis: EffectAnalysis) -> None:
    """Tell what a repository of this machine starts when it is pushed to, named by its folder or as a remote."""
    if not is_known(remote) or not analysis.cwd.known:
        return
    place = remote.removeprefix("file://")
    try:
        if "/" not in place:
            folder, root = repository_around(analysis.filesystem, analysis.cwd.real)
            urls = settings_in(analysis.filesystem, f"{folder}/config") if folder else ()
            named = [value for key, value in urls if key == f"remote.{remote or 'origin'}.url".lower()]
            place = named[-1].removeprefix("file://") if named else place
            place = place if place[:1] in ("/", "") or ":" in place else f"{root}/{place}"
        path = analysis.path(place, "read")
        if place and path.known and ":" not in place:
            _tell_settings(path.real, analysis)
    except Undecided:
        return


def _throws_scratch_away(verb: str, analysis: EffectAnalysis) -> bool:
    """Return whether what is thrown away lies in a repository for the moment: a clone below the folders for temporary
    files.

    A further work tree of another repository (`.git` is a file) shares its branches and its stash.
    """
    if not is_scratch(analysis.cwd, analysis.filesystem):
        return False
    status = analysis.filesystem.look(analysis.path(".git", "read"))
    if isinstance(status, tuple):
        return status[0] == "folder"
    return verb in ("rm", "clean", "checkout", "restore", "reset")


def _environment(analysis: EffectAnalysis, verb: str) -> None:
    """Settings in the environment, and the switches of hook managers."""
    env = analysis.env
    for place in range(int(env["GIT_CONFIG_COUNT"]) if env.get("GIT_CONFIG_COUNT", "").isdigit() else 0):
        key = env.get(f"GIT_CONFIG_KEY_{place}")
        if key is not None and place < 100:
            _setting(key, env.get(f"GIT_CONFIG_VALUE_{place}", ""), analysis)
    settings = _parameters(env.get("GIT_CONFIG_PARAMETERS", ""))
    for key, value in settings:
        _setting(key, value, analysis)
    for name in ("GIT_CONFIG_PARAMETERS", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG", "GIT_TEMPLATE_DIR"):
        file = env.get(name)
        read = name in ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM") and file and _included(file, analysis)
        if file and not read and not (name == "GIT_CONFIG_PARAMETERS" and settings):
            analysis.doubt("*", f"what `{name}` configures is not known")
    for name in ("HOME", "XDG_CONFIG_HOME"):
        if env.get(name):
            analysis.doubt("skips-hooks", f"what is configured below `{env[name][:80]}` is not known")
    for name in ("GIT_SSH_COMMAND", "GIT_SSH", "GIT_EDITOR", "GIT_PAGER", "GIT_EXTERNAL_DIFF", "GIT_PROXY_COMMAND"):
        if env.get(name):
            analysis.does("executes")
    switched = switches_hooks_off(env)
    if switched is None:
        analysis.doubt("skips-hooks", "whether the hooks are switched off is not known")
    elif switched:
        analysis.does("skips-hooks")
    named = {name: env.get(name) for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY")}
    own = named["GIT_DIR"] in (None, ".git", "./.git") and named["GIT_WORK_TREE"] in (None, ".", "./")
    if any(named.values()) and not (own and not named["GIT_INDEX_FILE"] and not named["GIT_OBJECT_DIRECTORY"]):
        analysis.paths.append(
            analysis.path(
                env.get("GIT_WORK_TREE") or env.get("GIT_DIR") or ".", "read" if verb in _ONLY_LOOKS else "write"
            )
        )


def _parameters(text: str) -> list[tuple[str, str]]:
    """`'key'='value' 'key=value'`, as git hands settings on."""
    pieces = text.split("'")
    if not is_known(text) or len(pieces) % 2 == 0:
        return []
    settings: list[tuple[str, str]] = []
    for place in range(1, len(pieces), 2):
        key, equals, value = pieces[place].partition("=")
        if pieces[place - 1] == "=" and settings:
            settings[-1] = (settings[-1][0], pieces[place])
        else:
            settings.append((key, value if equals else "true"))
    return settings


def _setting(key: str, value: str, analysis: EffectAnalysis, doubt: str = "") -> None:
    """One setting of the call; an alias or a program is followed."""
    tell_command(key.strip(), analysis)
    tell_command(value, analysis)
    key = key.strip().lower()
    if not is_known(key):
        analysis.doubt("*", f"which setting `{shown(key)[:80]}` is, is not known")
        return
    analysis.settings.setdefault(key, []).append(value)
    if names_hooks(key):
        if value or doubt or key != "init.templatedir":  # an empty one brings none
            analysis.does("skips-hooks")
    elif key == "core.worktree":
        analysis.cwd = analysis.path(value, "read")
    elif key.startswith("include") and key.endswith(".path") and _included(value, analysis):
        pass
    elif key.startswith(("include", "url.")):
        analysis.doubt("*", f"what `{key[:80]}` brings with it is not known")
    elif key.endswith(".vcs"):
        analysis.doubt("*", f"the program that `{key[:80]}` names reads the address as it likes")  # `ext` starts it
    elif starts_program(key):
        if value not in ("cat", "less", "", "true", "false", "never", "always", "user"):
            analysis.shell(value)
        if doubt:
            analysis.doubt("*", f"`{key}` runs a program, and {doubt}")
    if doubt and key.startswith(("alias.", "remote.", "push.")):
        analysis.doubt("*", f"`{key}` changes what is done, and {doubt}")


def _included(file: str, analysis: EffectAnalysis) -> bool:
    """Tell what the settings in a file bring to the call; return whether all of them are known."""
    path = analysis.path(file, "read")
    text = analysis.text_in(path, READ_BYTES)
    analysis.paths.append(path)
    try:
        settings = list(settings_of(text, file))
    except Undecided:
        return False
    for key, value in settings:
        if not key.startswith("include"):
            _setting(key, value, analysis)
    return not any(key.startswith("include") for key, _ in settings)


def _subcommand(name: str, words: list[str], analysis: EffectAnalysis) -> list[PathValue]:
    alias = analysis.settings.get(f"alias.{name.lower()}")
    if alias:
        _alias(name, alias[-1], words, analysis)
        return []
    if words in (["-h"], ["--help"]):
        analysis.informs = True
        return []
    program = find_program(f"git-{name}")
    if program is not None:
        arguments = program.arguments(tuple(words))
        arguments.operands = analysis.expand(arguments.operands)
        analysis.complete = program.complete or name in _LOOKS
        if arguments.unsure:
            analysis.fear(arguments.unsure, program.worst)
        if name in _NETWORK:
            analysis.does("network")
        analysis.name = f"git-{name}"
        return program.touched(arguments, analysis)
    if name not in _PLAIN:
        if line := _configured_alias(name, analysis):
            _alias(name, line, words, analysis)
        else:
            analysis.doubt("*", f"`git {name[:80]}` may be an alias, or another program")
        return []
    analysis.complete = name in _LOOKS
    return _plain(name, words, analysis)


def _configured_alias(name: str, analysis: EffectAnalysis) -> str:
    """Return the alias that the settings on the disk give, "" where none is known for certain."""
    if any(one.startswith(("GIT_", "HOME", "XDG_")) for one in analysis.env) or not analysis.cwd.known:
        return ""
    try:
        folder, _ = repository_around(analysis.filesystem, analysis.cwd.real)
        files = [*user_files(analysis.filesystem), *([f"{folder}/config"] if folder else [])]
        if any(analysis.written(analysis.path(file, "read")) for file in files):
            return ""
        settings = [one for file in files for one in settings_in(analysis.filesystem, file)]
    except Undecided:
        return ""
    lines = [value for key, value in settings if key == f"alias.{name.lower()}"]
    includes = any(key.startswith("include") for key, _ in settings)
    return "" if not lines or includes or set(lines[-1]) & set('\\"#;') else lines[-1]


def _alias(name: str, line: str, words: list[str], analysis: EffectAnalysis) -> None:
    """Return what an alias of the call stands for, with the words behind it and the other settings of the call."""
    rest = quote_words(words)
    if line[:1] == "!":
        analysis.shell(f"{line[1:]} {rest}")
        return
    others = [f"{key}={value}" for key, values in analysis.settings.items() for value in values]
    settings = [word for item in others if not item.startswith(f"alias.{name.lower()}=") for word in ("-c", item)]
    analysis.shell(f"git {quote_words(settings)} {line} {rest}")


def _is_file(word: str, analysis: EffectAnalysis) -> bool:
    """Return whether a word names one file that is there."""
    try:
        status = analysis.filesystem.look(analysis.path(word, "read"))
    except Undecided:
        return False
    return isinstance(status, tuple) and status[0] == "file"


def _plain(name: str, words: list[str], analysis: EffectAnalysis) -> list[PathValue]:
    """Subcommands that harm nothing by themselves, but for what their options write or run."""
    paths: list[PathValue] = []
    cut = words.index("--") if "--" in words else len(words)
    forced = name == "add" and not {"-f", "--force"}.isdisjoint(words)
    named = words[cut + 1 :] if name == "archive" or forced else []
    if name in _WRITING and any(map(may_be_option, words[:1])):
        analysis.doubt("*", f"what `git {name}` is told to do is not known")
    if name in _NETWORK:
        analysis.does("network")
    for place, word in enumerate(words[:cut]):
        option, equals, value = word.partition("=")
        follows = words[place + 1] if place + 1 < len(words) else ""
        if option == "--output" or (word in ("-o", "--output-directory") and name in ("archive", "format-patch")):
            paths.append(analysis.path(value if equals else follows, "write"))
        elif option in _LISTS or (word == "-X" and name == "ls-files"):
            paths.append(analysis.path(value if equals else follows, "read"))
        elif name == "archive" and word[:1] != "-" and place and words[place - 1] not in ("-o", "--format", "--prefix"):
            named.append(word)  # what follows the tree; the tree itself names no file
        elif name == "bundle" and word == "create":
            paths.append(analysis.path(follows, "write"))
        elif word[:1] != "-" and (name == "mv" or (name == "update-index" and _HIDES & set(words))):
            paths.append(analysis.path(word, "write", True))
        elif name == "commit-tree":
            analysis.doubt("skips-hooks", "commits below the porcelain run no hooks")
        elif name == "update-index" and option in ("--cacheinfo", "--index-info"):
            analysis.doubt("skips-hooks", "what goes into the commit stands in no file, so no test and no hook saw it")
        elif name == "maintenance" and word in ("start", "register", "stop", "unregister"):
            analysis.does("configures")
            paths.append(analysis.path(f"{analysis.filesystem.home}/.gitconfig", "write"))
        elif name == "sparse-checkout" and word in ("set", "add", "reapply", "init"):
            paths.append(analysis.path(".", "write", True))  # what is left out is taken away
        elif name == "add" and word[:1] != "-" and (forced or _is_file(word, analysis)):
            named.append(word)  # also what is ignored, and what is named
        elif option in _RUNS and name not in TAKING:
            analysis.shell(value if equals else follows)
        elif word[:2] == "-O":
            analysis.shell(word[2:])
    paths += fitted(named, "read", analysis, TRACKED if name == "archive" else PRESENT, name == "archive")
    if name == "update-index":
        paths += removed_tests(words, analysis)
    if name in ("status", "add", "commit", "merge", "pull", "mv", "revert", "cherry-pick", "update-index", "init"):
        paths.append(analysis.path(".", "read" if name == "status" else "write"))
    if name in ("pull", "merge", "revert", "cherry-pick", "mv") and any("$" in word for word in words):
        analysis.doubt("*", "the words are not known")
    return paths

"""Tell a analysis what the calls in code do that stands on a command line (`python -c`, `node -e`, …).

One reader for all languages: it looks at calls, at the literal texts they are given and at their names, and runs
nothing. A call that harms with words that are not literal is a doubt. It is no proof that code is harmless: what is
built at run time in ways that no name shows stays unseen. Imported by the hook path, `re` only when it is needed.
"""

from __future__ import annotations

from policy_engine.inline.effect_analysis import EffectAnalysis
from policy_engine.inline.marks import (
    backticks,
    evaluates,
    folded,
    plain_quotes,
    runs_input,
    tell_environment,
    tell_pushes,
    tell_rights,
    tell_sources,
)
from policy_engine.inline.texts import texts_in, unescaped
from policy_engine.inline.values import Start, with_variables
from policy_engine.model.own_entries import names_engine
from policy_engine.model.partial import GLOB, ONE, is_known, shown
from policy_engine.model.quoting import quote_words

_SHELLS = frozenset(
    (
        "system popen exec execSync spawn spawnSync run call check_call check_output Popen getoutput "
        "getstatusoutput shell_exec passthru proc_open execvp execv execl execlp execFile execFileSync fork_exec "
        "popen2 popen3 qx capture2 capture3 pcntl_exec execute sh readpipe "
    ).split()
)
_EVALS = frozenset(
    (
        "eval exec execfile Function instance_eval class_eval assert create_function loadstring "
        "runInNewContext runInThisContext runInContext compileFunction "
    ).split()
)
_TREES = frozenset(
    (
        "rmtree remove_tree rm_rf rm_r rmSync rm rmdirSync removedirs emptyDirSync remove_dir rimraf del_dir_r "
        "removeItem deleteDirectory deleteRecursively removeDirectoryRecursive removePathForcibly"
    ).split()
)
_OWN_DELETES = ("delete", "deleteRecursively", "deleteDir")  # `new File("x").delete()` of the languages of Java
_DELETES = frozenset("remove removeSync unlink unlinkSync rmdir delete safe_unlink".split())
_WRITES = frozenset(
    (
        "write_text write_bytes writeFile writeFileSync appendFile appendFileSync file_put_contents mkdir "
        "mkdirSync makedirs touch createWriteStream truncate truncateSync chmod chmodSync chown mkdir_p mkpath "
        "writeTextFile writeTextFileSync binwrite "
    ).split()
)
_COPIES = frozenset("copy copy2 copyfile copytree copyFile copyFileSync cp cpSync cp_r".split())
_HARD_LINKS = frozenset("link linkSync ln cp_lr hardlink_to link_to".split())  # both names are one file from then on
_MOVES = frozenset("rename renameSync move mv replace".split())
_MADE_BY_THEIR_NAME = ("make_symlink", "symlink_to")  # methods of the link that is made
_LINKS = frozenset((*"symlink symlinkSync ln_s ln_sf ln_sr create_symlink urlretrieve".split(), *_MADE_BY_THEIR_NAME))
"""What they make is named second, or by the path whose methods they are."""
_READS = frozenset(
    (
        "read_text read_bytes readFile readFileSync file_get_contents readfile read readlines slurp "
        "createReadStream file input readTextFile readTextFileSync foreach readlines binread lines dotenv_values "
        "load_dotenv loadEnvFile parse_ini_file "
    ).split()
)
_READING = ("read", "load", "parse_", "from_file", "open")
_INCLUDES = ("include", "include_once", "require", "require_once")
_CALLERS = ("array_map", "array_walk", "array_filter", "call_user_func", "call_user_func_array")
"""Functions of PHP that call the one whose name they are given, first or, of a list, last."""
_ALL = _SHELLS | _EVALS | _TREES | _DELETES | _WRITES | _COPIES | _HARD_LINKS | _MOVES | _READS
_NETWORK = ("urlopen", "urlretrieve", "requests.", "http.", "https.", "fetch(", "LWP", "net/http", "Net::HTTP",
            "open-uri",
            "URI.open", "://", "socket", "axios", "curl_", "httpx")  # fmt: skip
_CONNECTIONS = (
    "TCPSocket",
    "UNIXSocket",
    "Socket.tcp",
    "IO::Socket",
    "fsockopen",
    "stream_socket",
    "socket.tcp",
    "socket(",
)
_RECEIVES = (".gets", ".read", ".recv", "fgets(", "fread(", "<$", "receive(", "each_line")
_DECODES = ("b64decode", "base64", "decode64", "fromhex", "unhexlify", "atob", "base64_decode", "unpack", "rot13",
            "zlib", "marshal", "pickle", "str_rot13", "MIME::Base64", "pack(")  # fmt: skip
_FILES = ("File", "IO", "Bun", "Deno", "Pathname")  # of whom `write` is a call that takes a file's name
_FILE_CALLS = ("write", "binwrite", "writeTextFile", "writeTextFileSync")
_SEARCHING = ("ruby", "perl", "php", "lua")
_JAVASCRIPTS = ("node", "bun", "deno", "tsx", "ts-node", "npx", "zx")
_PYTHONS = ("python", "pypy", "ipython", "uv")
FETCHERS = ("curl", "wget", "http", "https", "xh", "aria2c", "fetch", "lynx", "w3m", "links")
_TCLS = ("tclsh", "wish", "expect", "jimsh")
_ENDS_CALL = [[word] for word in "or and xor if unless while until for foreach rescue end".split()]
_STARTS = ("System.cmd", "System.shell", "os.cmd")  # of Elixir and Erlang
_WRITES_OF_R = frozenset("writeLines write.csv write.csv2 write.table saveRDS write writeBin write_csv sink".split())
_EXPANDS_HOME = ("R", "Rscript", "r")  # whose functions read `~` as the home folder
_METHODS = frozenset(
    "write_text write_bytes read_text read_bytes unlink rmdir touch mkdir chmod rename hardlink_to link_to "
    "make_symlink symlink_to".split()
)


def analyse(code: str, analysis: EffectAnalysis, modules: str = "", start: Start | None = None) -> None:
    """Tell the analysis what the code does.

    Args:
        code: the text.
        analysis: takes what it does; its name is the language.
        modules: those that options load.
        start: how the file that holds the code was started; None for code that stands in the line.
    """
    if not is_known(code):
        analysis.does("executes-input")
        _doubt_all("the code", f"what `{shown(code)[:80]}` is, is not known", analysis)
        return
    if start is not None and analysis.name.startswith(_PYTHONS):
        from policy_engine.inline.python import recoded

        if (text := recoded(code)) == "":
            _doubt_all("the code", "the encoding in which it is written is not read", analysis)
        elif text is not None:
            analyse(text, analysis, modules, start)
    if analysis.name == "ipython" and (start is None or start.file == "-c"):
        from policy_engine.model.code_cells import cell_line

        analysis.shell(cell_line(code))
    whole = f"{modules} {code}"
    if names_engine(whole):
        analysis.does("controls-engine")
    networked = any(name in whole for name in _NETWORK)
    if networked:
        analysis.does("network")
    decoding = any(name in whole for name in _DECODES)
    if decoding:
        analysis.does("decodes")
    _read(code, analysis, networked, decoding, start)
    tell_rights(code, analysis, start is not None and start.file != "-")
    tell_sources(code, analysis)
    tell_pushes(code, analysis, _argument_pieces)
    analysis.codes.append(whole)


def _read(code: str, analysis: EffectAnalysis, networked: bool, decoding: bool, start: Start | None) -> None:
    """Read the code by its language's reader, or by the calls in it."""
    if analysis.name.startswith(_PYTHONS):
        from policy_engine.inline.python import read_python

        if read_python(code, analysis, networked or decoding, start):
            return
    elif analysis.name.startswith(_TCLS):
        from policy_engine.inline.tcl import read_tcl

        read_tcl(code, analysis)
        return
    elif analysis.name.startswith(_JAVASCRIPTS):
        from policy_engine.inline.javascript import read_javascript

        trial = EffectAnalysis(analysis.cwd, analysis.filesystem, analysis.name)
        if read_javascript(code, trial, networked or decoding, start):
            analysis.absorb(trial)
            analysis.lines += trial.lines
            analysis.views.update(trial.views)
            analysis.guesses += trial.guesses
            analysis.cwd, analysis.filesystem = trial.cwd, trial.filesystem
            return
    if analysis.name.startswith(_SEARCHING):
        code = _follow_included(code, analysis, start)
    written, code = code, _unpiped(code)
    code = folded(plain_quotes(code, analysis.name), analysis.filesystem.home or "~")
    unnamed: list[str] = []  # calls that read a file by a name that is no literal
    before = ""
    runs = evals = False
    aliases, places = _named(code)
    for name, arguments, receiver in _calls(code, analysis.name):
        owner, _, bare = name.replace("::", ".").replace("->", ".").rpartition(".")
        bare = aliases.get(bare, bare) if not owner else bare
        receiver = receiver or places.get(owner, "")
        runs = runs or bare in _SHELLS or bare in _EVALS
        evals = evals or bare in _EVALS - _SHELLS
        _call(name, bare, arguments, receiver or before, analysis, code)
        if _reads_unnamed(bare, name, arguments, analysis.name):
            unnamed.append(bare)
        before = ""
    runs = runs or evaluates(code, analysis.name)
    told = runs and any(word in code for word in ("stdin", "input()", "STDIN", "php://input"))
    if told or runs_input(code, analysis.name):
        analysis.does("executes-input")
    started = backticks(code, analysis)
    fetched = any((line.split() or [""])[0].rpartition("/")[2] in FETCHERS for line in started)
    if runs and (networked or decoding or (fetched and (evals or evaluates(code, analysis.name)))):
        analysis.does("executes-remote")
    if (start is None or start.file == "-") and analysis.name.startswith(_SEARCHING):
        _found(written, unnamed, analysis)
    if start is not None:
        analysis.contents += [analysis.path(file, "read") for file in files_used(code, analysis.name, _PRINTING)]
    tell_environment(code, analysis)
    for line in started:
        analysis.shell(line)
    analysis.guesses += [text for text in texts_in(code) if text not in analysis.lines]


def _follow_included(code: str, analysis: EffectAnalysis, start: Start | None) -> str:
    """Tell of the files that code includes; return what of it is run, where other code includes it itself."""
    from policy_engine.inline.included_files import tell_included, without_uncalled

    language = analysis.name.rstrip("0123456789.")
    if start is not None and start.called is not None:
        code = without_uncalled(code, language, start.called)
    tell_included(code, language, analysis, start)
    return code


def _unpiped(code: str) -> str:
    """Return code of Elixir with what is piped into a call as its first argument: `"a" |> f(b)` is `f("a", b)`; and
    with a function that is handed on (`&f/1`) called.
    """
    if "|>" not in code:
        return code
    import re

    piped = re.compile(r"""(?:("(?:[^"\\\n]|\\.)*")\s*)?\|>\s*([\w.:!?]+)\(\s*(\)?)""")
    code = piped.sub(lambda match: f"; {match[2]}({match[1] or 'piped'}{')' if match[3] else ', '}", code)
    return re.sub(r"&([\w.:!?]+)/\d", r"\1(piped)", code)


def _reads_unnamed(bare: str, name: str, arguments: list[str | None], language: str) -> bool:
    """Return whether a call reads a file whose name is put together at run time."""
    if bare in ("open", "fopen", "new"):
        place = 1 if language.startswith("perl") else 0
        mode = arguments[place + 1] if len(arguments) > place + 1 and place == 0 else None
        reads = "r" in (mode or "r") if place == 0 else arguments[1:2] in ([None], ["<"])
        known = arguments[place if place == 0 or arguments[1:2] != ["<"] else 2 :][:1]
        return reads and known == [None] and (bare != "new" or name.startswith(_FILES))
    return bare in _READS and name != "foreach" and arguments[:1] == [None] and bare not in ("input", "lines")


def _found(code: str, unnamed: list[str], analysis: EffectAnalysis) -> None:
    """Tell of the files that code reads by names that it finds, or puts among its arguments."""
    from policy_engine.inline.names_read import arguments_set, names_found, reads_what_it_finds

    for name in arguments_set(code):
        _touch(name, "read", False, "read", analysis)
    if not unnamed and not reads_what_it_finds(code):
        return
    names = names_found(code, analysis)
    given = any(mark in code for mark in ("ARGV", "$argv", "arg[", "shift"))
    for name in names or ():
        _touch(name, "read", False, "read", analysis)
    if names is None or not (names or given):
        _touch(None, "read", False, "".join(unnamed[:1]) or "read", analysis)


_HANDLE = r"\bopen[ (]\s*(?:my\s*)?\$?([A-Za-z_]\w*)\s*,"
_PRINTING = r"(?<![\w.>-])(?:puts|pp?|print|printf|print_r|echo|say|var_dump|io\.write|readfile)(?!\w)"


def files_used(code: str, language: str, users: str) -> list[str]:
    """Return the files whose content code hands to what a pattern finds: within one statement, or by a variable."""
    import re

    using = re.compile(users)
    held: dict[str, list[str]] = {}
    texts: list[str] = []
    for statement in re.split(r"[;\n]", code):
        files = [
            file.lstrip("<+ ")
            for name, words, _ in _calls(statement, language)
            if words and (file := words[-1 if language == "perl" else 0]) is not None and is_known(file)
            and (bare := re.split(r"\W+", name)[-1]) and (bare in _READS or bare in ("open", "fopen"))
        ]  # fmt: skip
        if using.search(statement):
            used = re.findall(r"[A-Za-z_]\w*", statement)
            texts += files + [file for variable in used for file in held.get(variable, ())]
        elif files and (given := re.search(rf"([A-Za-z_]\w*)\s*=(?!=)|{_HANDLE}", statement)):
            held[given[1] or given[2]] = files
    return texts


def _named(code: str) -> tuple[dict[str, str], dict[str, str]]:
    """Other names of functions (`{readFile: r}`, `import remove as r`), and variables that hold a literal path."""
    import re

    aliases = {new: old for old, new in re.findall(r"\b(\w+)\s*(?::|\bas\b)\s*(\w+)", code) if old in _ALL}
    paths = re.findall(r"""(\w+)\s*=\s*(?:\w+\.)?Path\(\s*(['"])([^'"\\]*)\2\s*\)(?!\s*[./])""", code)
    return aliases, {name: path for name, _, path in paths}


def _call(
    name: str, bare: str, arguments: list[str | None], receiver: str, analysis: EffectAnalysis, code: str
) -> None:
    words = [receiver, *arguments] if receiver and bare in _METHODS and len(arguments) < 2 else arguments
    first = words[0] if words else None
    if (bare in _EVALS and bare not in _SHELLS) or (name == "exec" and first is None):
        if words and first is not None:
            analyse(first, analysis)
        elif words:
            _doubt_all(bare, f"what `{bare}` runs is put together at run time", analysis)
    elif bare in _SHELLS or name in _STARTS:
        _started(bare, words, analysis, code)
    elif analysis.name in _EXPANDS_HOME and name in _WRITES_OF_R and any(words):
        _touch(next(filter(None, reversed(words))), "write", False, name, analysis)
    elif bare in _CALLERS and first is not None and analysis.name == "php":
        named = words[-1] if bare == "array_walk" else first
        rest = words[:-1] if bare == "array_walk" else words[1:]
        if named is not None and named not in _CALLERS:
            _call(named, named, rest, "", analysis, code)
    elif bare == "chdir":
        analysis.cwd = analysis.path(first if first is not None else ONE, "read")
    elif bare in ("open", "fopen", "ZipFile"):
        _opened(words, analysis)
    elif bare == "connect" and name.startswith("sqlite") and first not in (None, ":memory:"):
        _touch(first, "write", False, bare, analysis)
    elif bare in _METHODS and not receiver and "." in name and not words:
        _touch(None, "write", False, bare, analysis)
    elif bare in _OWN_DELETES and receiver and not arguments:
        _touch(receiver, "delete", bare != "delete", bare, analysis)
    elif bare in _TREES or bare in _DELETES:
        for word in words[:1]:
            deep = bare in _TREES and bare not in ("rm", "rmSync", "rmdirSync")
            _touch(word, "delete", deep or "recursive" in code, bare, analysis)
    elif bare in _MOVES and len(words) > 1 and (bare != "replace" or name.startswith("os.")):
        _touch(words[0], "read", True, bare, analysis)
        _touch(words[0], "delete", False, bare, analysis)
        _touch(words[1], "write", True, bare, analysis)
        analysis.relocate("mv", words[0] or ONE, words[1] or ONE)
    elif bare in _LINKS and len(words) > 1:
        target, place = words[1::-1] if bare in _MADE_BY_THEIR_NAME else words[:2]
        _touch(place, "write", False, bare, analysis)
        if bare != "urlretrieve":
            analysis.relocate("ln", target or ONE, place or ONE)
    elif bare in ("hardlink_to", "link_to"):
        for word in words:
            _touch(word, "write", False, bare, analysis)
    elif (bare in _COPIES or bare in _HARD_LINKS) and len(words) > 1:
        _touch(words[0], "read", True, bare, analysis)
        if bare in _HARD_LINKS or "copy_function" in code:
            _touch(words[0], "write", True, bare, analysis)
        _touch(words[1], "write", True, bare, analysis)
    elif words and (bare in _WRITES or (bare in _FILE_CALLS and name.partition(".")[0] in _FILES)):
        _touch(first, "write", False, bare, analysis)
    elif bare in _INCLUDES and analysis.name == "php" and first is not None:
        _touch(first, "read", False, bare, analysis)  # what is no code in it is printed
    elif name == "foreach":  # a loop of PHP or Perl
        return
    elif first is not None and (bare in _READS or (bare.startswith(_READING) and "." in first)):
        _touch(first, "read", False, bare, analysis)


def _started(bare: str, words: list[str | None], analysis: EffectAnalysis, code: str) -> None:
    if not words:
        return
    known = [ONE if word is None else word for word in words]
    if known[0] == ONE:
        _doubt_all(bare, f"what `{bare}` starts is put together at run time", analysis)
        if any(name in code for name in _CONNECTIONS) and any(name in code for name in _RECEIVES):
            analysis.does("network", "executes-remote")  # what comes through the connection
        return
    if bare.startswith(("execv", "execl")) and len(known) > 1:
        known = [known[0], *known[2:]]  # the second is only what the program calls itself
    # a line for a shell, and options that are no words of it: `system("rm -rf x", out: :err)`
    line = len(known) == 1 or " " in known[0].strip()
    analysis.shell(with_variables(known[0] if line else quote_words(known)))


def _opened(words: list[str | None], analysis: EffectAnalysis) -> None:
    mode = words[1] if len(words) > 1 else "r"
    if analysis.name.startswith("perl") and len(words) > 1:
        mode, words = _perl_open(words[1:])
    elif words and words[0] is not None and words[0][:1] in "<>|+" and len(words) == 1:
        mode, words = words[0][0], [words[0].lstrip("<>+| ")]
    for word in words[:1]:
        if mode is None or any(char in mode for char in "wax+>|"):
            _touch(word, "write", False, "open", analysis)
        if mode is None and word is not None:
            _touch(word, "read", False, "open", analysis)
        if mode is not None and ("r" in mode or "<" in mode) and word is not None:
            _touch(word, "read", False, "open", analysis)


def _perl_open(words: list[str | None]) -> tuple[str | None, list[str | None]]:
    """`open F, "<", NAME` and `open F, "<NAME"`: the mode and the name."""
    first = words[0]
    if first is None or len(words) > 1:
        return first, words[1:]
    name = first.lstrip("<>+| ")
    return first[: len(first) - len(name)] or "<", [name]


def _touch(word: str | None, access: str, recursive: bool, bare: str, analysis: EffectAnalysis) -> None:
    if word is None:
        analysis.paths.append(
            analysis.unknown(bare, f"what `{bare}` touches is put together at run time", access, recursive)
        )
        return
    tilde = GLOB + "~" if word[:1] == GLOB[:1] else "~" if analysis.name in _EXPANDS_HOME else "/~"
    if word.startswith(tilde) and word[len(tilde) : len(tilde) + 1] in ("", "/"):
        word = tilde[:-1] + (analysis.filesystem.home or "~") + word[len(tilde) :]
    names = [text for text in analysis.expand([word]) if recursive or text[-1:] != "/" or text == word]
    names = names or [word.replace(GLOB, "")]  # the folder alone is no name in it
    analysis.paths += [analysis.path(text, access, recursive) for text in names]


def _doubt_all(what: str, reason: str, analysis: EffectAnalysis) -> None:
    analysis.fear_all(what, reason)


def _calls(code: str, language: str) -> list[tuple[str, list[str | None], str]]:
    """Every call: its name with dots, its arguments (None: not a literal), the literal that its receiver was given."""
    import re

    calls: list[tuple[str, list[str | None], str]] = []
    ended: dict[int, str] = {}
    for match in re.finditer(
        r"([A-Za-z_]\w*(?:(?:\.|:|::|->)[A-Za-z_]\w*)*)(!?\s*\(|!?\s+(?=[\"'\[]|\$\w|[A-Z]\w*\s*,|my\s*\$\w))", code
    ):
        start = match.end()
        if match[2][-1] == "(":
            end, pieces = _pieces(code, start, ")")
        else:
            end, pieces = _pieces(code, start, ";\n}|")
        arguments = [value for piece in pieces for value in _literals(piece, language)]
        ahead = code[: match.start()].rstrip()
        receiver = ended.get(len(ahead) - 1, "") if ahead.endswith(".") else ""
        calls.append((match[1], arguments, receiver))
        if arguments and arguments[0] is not None:
            ended[end + 1] = arguments[0]
    if language.startswith("ruby"):
        calls += _bare_calls(code)
    return calls


def _bare_calls(code: str) -> list[tuple[str, list[str | None], str]]:
    """Calls of Ruby without brackets whose first argument is no literal: `FileUtils.rm_r place`."""
    import re

    names = "|".join(sorted(_TREES | _DELETES | _SHELLS | (_WRITES - {"touch"}) | _MOVES | _COPIES))
    start = r"((?:\b\w+\.|(?<![\w.:'\"])))"
    behind = r"[ \t]+(?=[a-z_@]\w*|[A-Z]\w*\.|ENV\[)(?!(?:do|if|unless|and|or)\b)"
    calls: list[tuple[str, list[str | None], str]] = []
    reads = "|".join(sorted(_READS | {"open", "new"}))
    for match in re.finditer(f"{start}({names}){behind}|\\b((?:File|IO)\\.)({reads}){behind}", code):
        _, pieces = _pieces(code, match.end(), ";\n}|")
        arguments = [value for piece in pieces for value in _literals(piece, "ruby")]
        calls.append(((match[1] or match[3] or "") + (match[2] or match[4]), arguments or [None], ""))
    return calls


def _pieces(code: str, start: int, ends: str) -> tuple[int, list[str]]:
    """The arguments between here and the end, cut at commas outside brackets and quotes."""
    pieces, begun, depth, quote, place = [], start, 0, "", start
    while place < len(code):
        char = code[place]
        if quote:
            if char == "\\":
                place += 1
            elif char == quote:
                quote = ""
        elif char in "'\"`":
            quote = char
        elif depth == 0 and (char in ends or (char == " " and "\n" in ends and _goes_on(code[place : place + 10]))):
            break
        elif char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
            if depth < 0:
                break
        elif depth == 0 and (char == "," or (char == ";" and ends == ")")):  # behind `;` Julia names arguments
            pieces.append(code[begun:place])
            begun = place + 1
        place += 1
    pieces.append(code[begun:place])
    return place, [piece.strip() for piece in pieces if piece.strip()]


def _argument_pieces(code: str, start: int) -> list[str]:
    """The arguments of a call whose bracket was opened before `start`."""
    return _pieces(code, start, ")")[1]


def _goes_on(code: str) -> bool:
    """Return whether a word follows that ends a call without brackets: `open F, "x" or die`, `unlink "x" if $y`."""
    return code.split(None, 1)[:1] in _ENDS_CALL


def _literals(piece: str, language: str) -> list[str | None]:
    """One argument as texts: a list's items, or one text with `ONE` for what is no literal; None if none of it is."""
    if language.startswith("swift"):
        label, colon, value = piece.partition(":")
        piece = value.strip() if colon and label.isidentifier() else piece
    if piece[:1] in "[(" and piece[-1:] in "])":
        return [value for inner in _pieces(piece[1:-1], 0, "\0")[1] for value in _literals(inner, language)]
    return [joined_literals(piece, language)]


_INTERPOLATED = {
    "ruby": r"#\{[^}]*\}",
    "perl": r"[$@](?:\{[^}]*\}|\w+(?:->)?(?:\[[^\]]*\]|\{[^}]*\})*)",
    "php": r"\{\$[^}]*\}|\$\w+(?:->\w+|\[[^\]]*\])*",
    "lua": r"(?!)",
    "awk": r"(?!)",
}


def joined_literals(piece: str, language: str) -> str | None:
    """Return the text of an expression that joins literals with other things.

    Args:
        piece: the expression.
        language: who reads it; decides what stands for a value within double quotes.

    Returns:
        The text, `ONE` for each part that is no literal; None if no part is one.
    """
    import re

    pattern = r"[rbu]?(?:'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|`(?:[^`\\]|\\.)*`)"
    values = _INTERPOLATED.get(language.rstrip("0123456789."), r"\$\{[^}]*\}")
    made: list[str] = []
    place = 0
    for match in re.finditer(pattern, piece):
        if piece[place : match.start()].strip(" \t\n+.&"):
            made.append(ONE)
        text = match[0].lstrip("rbu")
        inner = unescaped(text[1:-1])
        made.append(inner if text[0] == "'" else re.sub(values, ONE.replace("\\", "\\\\"), inner))
        place = match.end()
    if not place:
        return None
    if piece[place:].strip(" \t\n+.&"):
        made.append(ONE)
    return "".join(made)

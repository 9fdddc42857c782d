"""Find the texts that a line may have put into a file before it runs it.

Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.effects.edited_texts import edited, filtered_json
from policy_engine.filesystem.paths import below, under
from policy_engine.inline.values import shell_words, with_variables
from policy_engine.model.partial import FOLDER, ONE, is_known
from policy_engine.model.undecided import Undecided
from policy_engine.shell.printing import printed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from policy_engine.filesystem.file_system import FileSystem
    from policy_engine.filesystem.paths import PathValue
    from policy_engine.inline.effect_analysis import EffectAnalysis
    from policy_engine.shell.command import SimpleCommand

    AnalysisOf = Callable[[SimpleCommand], EffectAnalysis]

_FED_BYTES = 262_144
_SCRATCH = ("/tmp", "/var/tmp", "/private/tmp", "/dev/shm", "/run/shm")
_COPIES = ("cp", "mv", "ln", "install", "rsync", "gcp", "gmv", "gln", "ginstall")


def texts_of(file: PathValue, command: SimpleCommand, analysis_of: AnalysisOf) -> list[str]:
    """Return what the file may hold when the command runs it, as its line wrote it; a mark for what is not known."""
    before = command.before
    texts = _texts(file, before, analysis_of)
    if any(_opens(one, file) for one in command.line[len(before) + 1 :]):
        texts.append(ONE)  # in a loop, in the background, or in a function that is called later
    return texts


def texts_left(file: PathValue, command: SimpleCommand, analysis_of: AnalysisOf) -> list[str]:
    """Return what the file may hold when the command reads it, as commands before it left it; none if none did."""
    texts = texts_of(file, command, analysis_of) if command.line else []
    return texts or [ONE for one in command.before if _changes(one, file, analysis_of)]


def _changes(one: SimpleCommand, file: PathValue, analysis_of: AnalysisOf) -> bool:
    try:
        return any(path.access != "read" and _same(file, path) for path in analysis_of(one).paths)
    except Undecided:
        return False


def operands_behind(file: PathValue, command: SimpleCommand, analysis: EffectAnalysis) -> tuple[str, ...] | None:
    """Return the words of the command behind the file that it starts; None if it does not name the file."""
    words = words_from(file, command, analysis)
    return tuple(analysis.expand(list(words[1:]))) if words else None


def words_from(file: PathValue, command: SimpleCommand, analysis: EffectAnalysis) -> tuple[str, ...]:
    """Return the words of the command from the name of the file on that it starts; none where it is not named."""
    for place, word in enumerate(command.argv if file.known else ()):
        path = analysis.path(word, "read")
        if path.known and path == file:
            return command.argv[place:]
    return ()


def script_of(file: PathValue, command: SimpleCommand, analysis: EffectAnalysis) -> tuple[str, bool] | None:
    """Return as what a shell is told of the file that it runs, and whether it sources it; None if it is not told."""
    named = words_from(file, command, analysis)[:1]
    return (named[0].removeprefix(FOLDER), command.name in ("source", ".")) if named else None


def with_operands(text: str, operands: tuple[str, ...] | None, variables: dict[str, str]) -> str:
    """Return the text of a shell script that is started with these variables and operands, None if they are not
    known.
    """
    settings = [f"{name}={shell_words([value])}; " for name, value in variables.items()]
    settings += [] if operands is None else [f"set -- {shell_words(list(operands))}; "]
    return with_variables("".join(settings)) + text


def may_be_read(file: PathValue, filesystem: FileSystem) -> bool:
    """Return whether a file lies where code is read: below the workspace, or below a folder for scratch files."""
    try:
        if filesystem.relative(file) is not None:
            return True
    except Undecided:
        pass
    return any(under(file.real, folder) for folder in _SCRATCH)


def copied_from(
    file: PathValue, command: SimpleCommand, analysis_of: AnalysisOf
) -> tuple[FileSystem, PathValue] | None:
    """Return the file of the disk that the line copies or moves to where this one is run, and the disk as it was."""
    for one in command.before:
        if one.name not in _COPIES:
            continue
        try:
            analysis = analysis_of(one)
        except Undecided:
            continue
        for path in analysis.paths:
            if path.access == "write" and path.known and _same(file, path):
                rest = file.real[len(path.real) :]
                for source in (word for word in one.argv[1:-1] if word[:1] != "-" and is_known(word)):
                    target = analysis.path(source.rstrip("/") + rest, "read")
                    if target.known and one.filesystem.present(target):
                        return one.filesystem, target
    return None


def fed_by_file(command: SimpleCommand, analysis_of: AnalysisOf) -> str | None:
    """Return the text that `< FILE` or `cat FILE |` gives a command: of files of the workspace, or for the moment, as
    the line has left them; None of others.
    """
    if command.feed is not None and is_known(command.feed):
        return command.feed
    command = _holder(command)
    files: list[PathValue] = [item.path for item in command.redirects if item.path.access == "read"]  # type: ignore[attr-defined]
    place = next((number for number, one in enumerate(command.line) if one is command), 0)
    if not files and command.piped_from == ("cat",) and place and command.line[place - 1].name == "cat":
        files = [path for path in analysis_of(command.line[place - 1]).paths if path.access == "read"]
    texts: list[str] = []
    for file in files:
        try:
            written = texts_left(file, command, analysis_of)
            readable = file.known and not written and may_be_read(file, command.filesystem)
            text = command.filesystem.script(file, _FED_BYTES) if readable else written[0] if written else None
        except Undecided:
            text = None
        if text is None or len(written) > 1 or not is_known(text):
            return None
        texts.append(text)
    return "\n".join(texts) if texts else None


def _holder(command: SimpleCommand) -> SimpleCommand:
    """Return the command whose standard input a command has: itself, or who hands it over (`docker exec -i`)."""
    if command.redirects or not command.via:
        return command
    name = command.via[-1].partition(" ")[0]
    outer = (one for one in command.line if one.name == name and one is not command and command.text in one.text)
    return next(outer, command)


def found_by_name(command: SimpleCommand, analysis_of: AnalysisOf) -> bool:
    """Tell whether a name without a folder may start a file that the line wrote: the line says where to look."""
    if "/" in command.argv[0] or not any(item.startswith("PATH=") for item in command.env):
        return False
    for one in command.line:
        if one is command:
            return False
        for path in _written_paths(one, analysis_of):
            if not path.known or path.real.rpartition("/")[2] == command.name:
                return True
    return False


def _texts(file: PathValue, before: tuple[SimpleCommand, ...], analysis_of: AnalysisOf) -> list[str]:
    last: str | None = None
    others: list[str] = []
    for number, one in enumerate(before):
        for text, appends in texts_given(one, file, before[:number], analysis_of):
            if appends and last is not None:
                text = last + text if is_known(last) and is_known(text) else ONE
            elif last is not None:
                others.append(last)
            last = text
    if last is None:
        return []
    return [*(text for text in dict.fromkeys(others) if not (is_known(text) and text in last)), last]


def texts_given(
    one: SimpleCommand, file: PathValue, before: tuple[SimpleCommand, ...], analysis_of: AnalysisOf
) -> Iterable[tuple[str, bool]]:
    """The texts that a command puts into the file, each with whether it is appended."""
    for redirect in one.redirects:
        path: PathValue = redirect.path  # type: ignore[attr-defined]
        if path.access == "write" and _same(file, path):
            yield _output(one, before, analysis_of), ">>" in redirect.op  # type: ignore[attr-defined]
    if one.model is not None and one.model.name == "cc":
        lines = _compiled(one, file, before, analysis_of)
        if lines:
            yield "\n".join(lines), False
    if one.name == "yq" and any(_same(file, path) for path in analysis_of(one).mentions if "-i" in one.argv):
        found = text_before(file, one, before, analysis_of)
        yield (None if found is None else filtered_json(one.argv, found)) or ONE, False
    if one.model is None or not (one.name in _COPIES or one.model.authors):
        return
    try:
        written = [path for path in analysis_of(one).paths if path.access == "write" and _same(file, path)]
    except Undecided:
        return
    if not written or any(redirect.path in written for redirect in one.redirects):  # type: ignore[attr-defined]
        return
    if one.name in _COPIES:
        for text in _copied(one, before, analysis_of):
            yield text, False
    elif one.name == "tee" or one.name == "dd":
        yield ONE if one.feed is None else one.feed, one.name == "tee" and one.has_flag("-a", "--append")
    else:
        found = text_before(file, one, before, analysis_of)
        made = None if found is None else edited(one.argv, found, one.feed)
        yield ONE if made is None else made, False


def text_before(
    file: PathValue, one: SimpleCommand, before: tuple[SimpleCommand, ...], analysis_of: AnalysisOf
) -> str | None:
    """Return the text of a file as a command finds it; None if it is not known."""
    texts = _texts(file, before, analysis_of)
    try:
        readable = not texts and file.known and may_be_read(file, one.filesystem)
        text = one.filesystem.script(file, _FED_BYTES) if readable else texts[0] if len(texts) == 1 else None
    except Undecided:
        return None
    return text if text is not None and is_known(text) else None


def _compiled(
    one: SimpleCommand, file: PathValue, before: tuple[SimpleCommand, ...], analysis_of: AnalysisOf
) -> list[str]:
    """The commands that stand in the sources of what a compiler puts into the file."""
    from policy_engine.effects.build_files import commands_in

    try:
        analysis = analysis_of(one)
    except Undecided:
        return []
    outputs = [path for path in analysis.paths if path.access == "write"]
    named = file.known and file.real.endswith("/a.out")
    if not (any(path.known and path.real == file.real for path in outputs) or (not outputs and named)):
        return []
    texts = [one.feed] if one.feed is not None and "-" in one.argv else []
    for path in (path for path in analysis.paths if path.access == "read" and path.known):
        written = _texts(path, before, analysis_of)
        disk = None if written or not may_be_read(path, one.filesystem) else one.filesystem.script(path, _FED_BYTES)
        texts += written or ([disk] if disk is not None else [])
    return [line for text in texts if is_known(text) for line, _ in commands_in("source", text, ())]


def _copied(one: SimpleCommand, before: tuple[SimpleCommand, ...], analysis_of: AnalysisOf) -> list[str]:
    texts: list[str] = []
    for word in one.argv[1:]:
        if word[:1] != "-" and is_known(word):
            texts += _texts(analysis_of(one).path(word, "read"), before, analysis_of)
    return texts


def _output(one: SimpleCommand, before: tuple[SimpleCommand, ...], analysis_of: AnalysisOf) -> str:
    if one.argv[0] == "cat" and len(one.argv) == 2 and is_known(one.argv[1]) and one.argv[1][:1] != "-":
        texts = _texts(analysis_of(one).path(one.argv[1], "read"), before, analysis_of)
        return texts[0] if len(texts) == 1 else ONE
    if one.name == "jq" and len(one.argv) > 2 and is_known(one.argv[-1]):
        text = text_before(analysis_of(one).path(one.argv[-1], "read"), one, before, analysis_of)
        made = None if text is None else filtered_json(one.argv, text)
        return ONE if made is None else made
    if one.name in ("sed", "gsed", "perl") and len(one.argv) > 2 and is_known(one.argv[-1]):
        text = text_before(analysis_of(one).path(one.argv[-1], "read"), one, before, analysis_of)
        made = None if text is None else edited(one.argv, text)
        return ONE if made is None else made
    if one.argv == (":",):
        return "" if one.feed is None else ONE
    return printed(one, True)


def _opens(one: SimpleCommand, file: PathValue) -> bool:
    return any(item.path.access == "write" and _same(file, item.path) for item in one.redirects)  # type: ignore[attr-defined]


def _written_paths(one: SimpleCommand, analysis_of: AnalysisOf) -> list[PathValue]:
    paths = [item.path for item in one.redirects if item.path.access == "write"]  # type: ignore[attr-defined]
    if one.model is not None and (one.name in _COPIES or one.model.authors):
        try:
            paths += [path for path in analysis_of(one).paths if path.access == "write"]
        except Undecided:
            pass
    return paths


def _same(file: PathValue, path: PathValue) -> bool:
    """Return whether a written path is, or may be, the file that is run, or lies in the folder that is."""
    if any(char in file.text for char in "*?["):
        return True
    if not file.known or not path.known:
        return not file.known and not path.known
    return file.real == path.real or below(path.real, file.real)

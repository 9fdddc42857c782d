"""The places that the words of a command name, whatever the program does with them.

A program without a model is known only by its words, and a model may not read every word: what is left over is looked
at in the same way, so that a program with a model is never guarded less than one without. Imported by the hook path.
"""

from __future__ import annotations

from policy_engine.model.partial import GLOB, ONE, is_known
from policy_engine.model.undecided import Undecided
from policy_engine.programs.base import find_program, named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from policy_engine.inline.effect_analysis import EffectAnalysis

OUTPUTS = frozenset(
    (
        "-o --output --outfile --output-file --output-dir --outdir --out-dir --out -out --out-file --output-directory "
        "--output-path --outDir --outFile --outputDir --dest --destination --dest-dir --target-dir --install-dir "
        "--installdir --report --report-file --log-file --metadata-file --html --html-report --OutputDirectory"
    ).split()
)
"""Options that most programs take for a place that they write."""
_OUTPUT_PARTS = frozenset(
    "out output outfile outdir outputdir outputfile dest destination logfile junitxml savefile".split()
)
_PATTERNS = frozenset("exclude ignore glob iglob regexp regex pattern patterns deselect omit".split())
_FILES = frozenset("file files from files0 path paths list config rcfile".split())
_OPENING, _CLOSING = "@+<>([{'\"", ")]}'\","
_PATH_STARTS = ("/", "~/", "./", "../", ".")
_ROOTS = frozenset(
    "bin boot dev etc home lib media mnt opt private proc root run sbin srv sys tmp usr var Users".split()
)
_INSTALLED = ("/usr", "/opt")
_SETS_UP = ("configure", "cmake", "meson")
_LATER = frozenset(
    "--prefix --exec-prefix --bindir --sbindir --libdir --sysconfdir --localstatedir --mandir --datadir --includedir "
    "--docdir -Dprefix".split()
)
_GUARDS = frozenset((".policy", ".git", ".husky", ".mcp.json", ".cursor", ".windsurf", ".factory", ".github",
                     *(f".{name}" for name in named("agent"))))  # fmt: skip
"""Names of folders and files with what guards a session."""
_WITHIN = ("-w", "--workdir", "--entrypoint")  # options of which the value is a place within a container
_MOST_CHARS = 4_096
_MOST_PLACES = 64


def is_file_name(text: str) -> bool:
    """Return whether a word without a slash is written like the name of a file: `secrets.yaml`."""
    name, dot, ending = text.rpartition(".")
    return bool(name and dot and ending) and len(ending) < 9 and ending.isalnum() and " " not in text


def is_place(text: str) -> bool:
    """Return whether a text is written like a path."""
    return text.startswith(_PATH_STARTS) or "/" in text or is_file_name(text)


def places_in(word: str) -> list[str]:
    """Return the paths that a word may name: itself, the value of an option, the parts of a list, strings of JSON."""
    if len(word) > _MOST_CHARS:
        return []
    places: dict[str, None] = {}
    _gather(word, places)
    return list(places)[:_MOST_PLACES]


def _gather(text: str, places: dict[str, None]) -> None:
    if text[:1] in ("{", "[") and '"' in text:
        for piece in text.split('"')[1::2]:
            _gather(piece, places)
        return
    if text[:1] == "-":
        _gather(_option_value(text), places)
        return
    text = text.lstrip(_OPENING).rstrip(_CLOSING)
    if text[:5].lower() == "file:":
        places[file_address(text)] = None
    elif ":///" in text:
        places["/" + text.partition(":///")[2].partition("?")[0]] = None  # no host: a place of this machine
    elif "://" in text or not text:
        return
    elif any(blank in text for blank in " \t\n"):
        if text.startswith(("/", "~/", "./", "../")):
            places[text] = None  # the name of a file with blanks; any other text with blanks is prose
    elif any(mark in text for mark in "=,:"):
        for piece in text.replace("=", ",").replace(":", ",").split(","):
            _gather(piece, places)
    elif is_place(text):
        places[text] = None


def file_address(text: str) -> str:
    """Return the path that a `file:` address names; what has no three slashes is relative to many programs."""
    rest = text[5:]
    if rest.startswith("//localhost/"):
        return rest[11:]
    return "/" + rest.lstrip("/") if rest[:3] == "///" or (rest[:2] != "//" and rest[:1] == "/") else rest.lstrip("/")


def _option_value(word: str) -> str:
    """The value that is written into an option: `--out=x`, `-o../x`; "" if there is none."""
    _, equals, value = word.partition("=")
    if equals:
        return value
    _, colon, value = word.partition(":")
    if colon and value.startswith(("/", "~/", "./", "../", ".")):
        return value  # `--diag:../x`, `-bl:x`
    if word[:2] == "--":
        return ""
    return word[2:] if word[2:].startswith(("/", "~/", "./", "../", ".")) else ""


def names_output(option: str) -> bool:
    """Return whether an option's name says that its value is a place that is written."""
    if option in OUTPUTS:
        return True
    parts = frozenset(option.lstrip("-").replace("_", "-").lower().split("-"))
    return option[:2] == "--" and "format" not in parts and not parts.isdisjoint(_OUTPUT_PARTS)


def names_pattern(option: str, also: frozenset[str] = frozenset()) -> bool:
    """Return whether an option's name says that its value is a pattern, or what else is named, and no file."""
    parts = option.lstrip("-").replace("_", "-").split("-")
    return option[:2] == "--" and _FILES.isdisjoint(parts) and not (_PATTERNS | also).isdisjoint(parts)


def mention_all(words: tuple[str, ...], analysis: EffectAnalysis, read: frozenset[str] = frozenset()) -> None:
    """Add to the analysis each place that the words name, but for the texts that the program's model has read."""
    for number, word in enumerate(words):
        option, equals, value = word.partition("=")
        if names_output(option):  # what all programs call so
            value = value if equals else "".join(words[number + 1 : number + 2])
            if value and value not in read and (analysis.opaque or _leads_out(value, analysis)):
                analysis.paths.append(analysis.path(_at_home(value, analysis), "write"))
        if _names_later(option, value, words, analysis.name):
            continue
        if names_pattern(option if equals else "".join(words[number - 1 : number]) if word[:1] != "-" else ""):
            continue
        if not is_known(word):
            _mention_partial(word, analysis)
            continue
        for place in places_in(word):
            if place not in read and _may_be_there(place, analysis):
                analysis.mention(_at_home(place, analysis))


def mention_guards(analysis: EffectAnalysis) -> None:
    """Add to the analysis each place with what guards a session that a variable names: programs write and empty what
    variables name as they do what words name.
    """
    program = find_program(analysis.name)
    for name, value in () if program is not None and program.read_only else analysis.env.items():
        if "." in value and is_known(value) and not name.startswith("GIT_"):  # which the model of git reads
            for place in places_in(value):
                if not _GUARDS.isdisjoint(place.split("/")):
                    analysis.mention(_at_home(place, analysis))


def on_machine(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words of a container engine without the places that they name within a container."""
    made: list[str] = []
    before = ""
    for word in words:
        option, equals, value = word.partition("=") if word[:2] == "--" else (word, "", "")
        mounts = option in ("-v", "--volume") if equals else before in ("-v", "--volume")
        if mounts:
            made.append((value if equals else word).partition(":")[0])
        elif option not in _WITHIN and before not in _WITHIN:
            made.append(word)
        before = "" if equals else word
    return tuple(made)


def _names_later(option: str, value: str, words: tuple[str, ...], program: str) -> bool:
    """Return whether the value of an option is a folder of the system where a later step installs."""
    if program not in _SETS_UP or "--install" in words or "install" in words or not value.startswith(_INSTALLED):
        return False
    return option.partition(":")[0] in _LATER or option.startswith("-DCMAKE_INSTALL_")


def _may_be_there(text: str, analysis: EffectAnalysis) -> bool:
    """Return whether a text means a place of this system, so far as its beginning says: `/repos/x` may be an address.

    A name that is not written like a path (`owner/name`, `v1.2`) is one if its first part is there; where the call
    works elsewhere, what lies below its folder is the business of whoever works there.
    """
    first = text.strip("/").partition("/")[0]
    if text.startswith(_PATH_STARTS[1:]) or (text[:1] == "/" and first in _ROOTS):
        return True
    try:
        inside = not analysis.cwd.known or analysis.filesystem.relative(analysis.cwd) is not None
        if text[:1] != "/" and (inside or not analysis.opaque):
            return inside
        return bool(first) and analysis.filesystem.present(
            analysis.filesystem.resolve(f"/{first}" if text[:1] == "/" else first, analysis.cwd.real)
        )
    except Undecided:
        return True


def _leads_out(value: str, analysis: EffectAnalysis) -> bool:
    """Return whether a value is a place outside the folder, so that `-o json` is no file that is written."""
    return value.startswith(("/", "~/", "../")) and is_known(value)


def _at_home(text: str, analysis: EffectAnalysis) -> str:
    return f"{analysis.filesystem.home}{text[1:]}" if text[:2] == "~/" and analysis.filesystem.home else text


def _mention_partial(word: str, analysis: EffectAnalysis) -> None:
    """The folder that a word begins with, where only its rest is not known, and the files that a pattern fits now."""
    if is_known(word.replace(GLOB, "")):
        for one in analysis.expand([word])[:_MOST_PLACES]:
            if is_known(one) and is_place(one):
                analysis.mention(one)
    pipe = f"/dev/fd/{ONE}"
    if word.startswith(f"--random-source={pipe}"):
        return  # whatever it prints
    program = find_program(analysis.name) if word.startswith(pipe) else None
    if program is not None and program.read_only:
        return  # the pipe of a process substitution, which it reads
    head = word.partition("\0")[0]
    if head[:1] == "-":
        head = _option_value(head)
    head = head.lstrip(_OPENING)
    folder, slash, _ = head.rpartition("/")
    if slash and folder not in ("", ".") and "://" not in head and " " not in head:
        for piece in folder.replace("=", ",").replace(":", ",").split(",")[-1:]:
            if piece and ONE not in piece:
                analysis.mention(_at_home(piece + slash, analysis))

"""Load policies from paths: read, parse, check, compile; the whole pipeline in one function, all or nothing.

What is wrong is in `diagnostics`; `program` is there only if nothing is an error. Nothing is kept between calls but
what the caller hands back in (`before`), so that a file that did not change is not parsed again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path

from policy_engine.checker.checker import NOTHING, check
from policy_engine.checker.defines import imported_name
from policy_engine.checker.memory import Memory
from policy_engine.checker.tree import CheckedPolicy
from policy_engine.checker.vocabulary import Vocabulary, vocabulary
from policy_engine.compiler.compiler import Compilation, compile_policy, source_digest
from policy_engine.evaluators.base import Program
from policy_engine.loading import messages
from policy_engine.loading.sources import PACK, SUFFIX, Gathered, PolicyFile, gather, import_path, nowhere, read
from policy_engine.loading.stronger_layers import StrongerLayers
from policy_engine.model.diagnostic import Diagnostic, sorted_diagnostics
from policy_engine.model.errors import PolicyLoadError
from policy_engine.model.limits import POLICY_RULES
from policy_engine.model.shipped import ADDED, THEME, added, pack_folder, pack_folders
from policy_engine.model.source import Source
from policy_engine.syntax import ast
from policy_engine.syntax.parser import collector_paused, damaged, independent, parse
from policy_engine.syntax.parts import Parts, read_parts
from policy_engine.syntax.reading import read_text


@dataclass(frozen=True, slots=True)
class Parsed:
    """One file after parsing; `tree` is None if it is not text, or if it was read in `parts`."""

    origin: PolicyFile
    tree: ast.File | None
    diagnostics: tuple[Diagnostic, ...]
    parts: Parts | None = None

    @property
    def name(self) -> str:
        return self.origin.name

    @property
    def path(self) -> str:
        return self.origin.path

    @property
    def trees(self) -> tuple[ast.File, ...]:
        """The tree, or those of its parts."""
        if self.parts is not None:
            return self.parts.trees
        return (self.tree,) if self.tree is not None else ()


@dataclass(frozen=True, slots=True)
class Loaded:
    """The outcome of loading: the Program if there is no error, and everything that tools want to see."""

    program: Program | None
    policy: CheckedPolicy | None
    diagnostics: tuple[Diagnostic, ...]
    digest: str
    parsed: tuple[Parsed, ...]
    folders: tuple[str, ...]
    memory: Memory = field(default_factory=Memory, repr=False)
    compilation: Compilation = field(default_factory=Compilation, repr=False)

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        return tuple(diagnostic for diagnostic in self.diagnostics if diagnostic.severity == "error")

    def require_program(self) -> Program:
        """The Program. Raises PolicyLoadError with the diagnostics if there is none."""
        if self.program is None:
            count = len(self.errors)
            raise PolicyLoadError(
                f"the policy does not load: {count} error{'s' if count != 1 else ''}", self.diagnostics
            )
        return self.program


@dataclass(slots=True)
class _Work:
    """Collect the results of one load."""

    gathered: Gathered
    before: Loaded | None = None
    known: dict[tuple[str, bytes], Parsed] = field(default_factory=dict)
    parsed: dict[str, Parsed] = field(default_factory=dict)
    problems: list[Diagnostic] = field(default_factory=list)
    given: bool = False
    in_parts: bool = False


def load(
    paths: Iterable[Path | str],
    before: Loaded | None = None,
    allow_empty: bool = False,
    stronger: StrongerLayers | None = None,
    reread: bool = False,
    unsaved: Mapping[str, bytes] | None = None,
    only_check: bool = False,
    in_parts: bool = False,
) -> Loaded:
    """Load the set of policies at `paths`.

    `before` is an earlier outcome: its unchanged files are not parsed again, and it is returned itself if it was good
    and nothing changed. A set with stronger layers `stronger` it is checked, but not compiled, as with `only_check`.
    `reread` reads also the files that look unchanged. `unsaved` are texts of an editor that stand for files, by path.
    `in_parts` is for the diagnostics alone: files are parsed and checked by declaration, and there is no policy.
    """
    named = list(paths)
    earlier = before.parsed if before is not None else ()
    with collector_paused():
        gathered = gather(named, {} if reread else {item.path: item.origin for item in earlier}, unsaved)
        return _load(named, gathered, before, allow_empty, stronger, only_check or in_parts, in_parts)


def _load(
    named: list[Path | str],
    gathered: Gathered,
    before: Loaded | None,
    allow_empty: bool,
    stronger: StrongerLayers | None,
    only_check: bool,
    in_parts: bool,
) -> Loaded:
    known = {(item.name, item.origin.digest): item for item in (before.parsed if before is not None else ())}
    work = _Work(gathered, before, known, in_parts=in_parts)
    for file in list(work.gathered.files.values()):
        _parse(file, work)
    problems = [*work.gathered.problems, *work.problems]
    if not work.gathered.files and not problems and not allow_empty:
        problems.append(messages.nothing_to_load(nowhere(", ".join(map(str, named)))))
    if before is not None and not problems and before.program is not None and _digest(work) == before.digest:
        return before
    return _finish(work, problems, stronger, only_check)


def load_given(files: Iterable[PolicyFile], stronger: StrongerLayers | None = None) -> Loaded:
    """Load a set whose bytes are at hand; nothing but shipped packs is read from the disk."""
    work = _Work(Gathered(), given=True)
    for number, file in enumerate(files):
        work.gathered.files[0, number] = file
    with collector_paused():
        for file in list(work.gathered.files.values()):
            _parse(file, work)
        return _finish(work, [*work.gathered.problems, *work.problems], stronger)


def load_text(text: str, name: str = "policy") -> Loaded:
    """Load one policy given as text; imports are relative to the working folder."""
    work = _Work(Gathered())
    file = PolicyFile.given(name, str(Path(name).absolute()), text.encode())
    work.gathered.files[0, 0] = file
    _parse(file, work)
    return _finish(work, [*work.gathered.problems, *work.problems])


def words() -> Vocabulary:
    """The vocabulary, built once per process: families do not change while it runs."""
    global _words
    if _words is None:
        _words = vocabulary()
    return _words


_words: Vocabulary | None = None


def _parse(file: PolicyFile, work: _Work) -> None:
    """Parse a file and whatever it imports."""
    if file.path in work.parsed:
        return
    known = work.known.get((file.name, file.digest))
    if known is None:
        known = _parsed_in_parts(file, work) if work.in_parts else _parsed(file)
    elif known.origin is not file:
        known = replace(known, origin=file)
    work.parsed[file.path] = known
    for tree in known.trees:
        for item in tree.items:
            if isinstance(item, ast.Import):
                _import(item, tree.source, known, work)


def _parsed(file: PolicyFile) -> Parsed:
    source, diagnostics = read_text(file.name, file.data)
    tree: ast.File | None = None
    if source is not None:
        tree, problems = parse(source)
        diagnostics = [*diagnostics, *problems]
    return Parsed(file, tree, tuple(diagnostics))


def _parsed_in_parts(file: PolicyFile, work: _Work) -> Parsed:
    source, diagnostics = read_text(file.name, file.data)
    if source is None:
        return Parsed(file, None, tuple(diagnostics))
    earlier = next((item.parts for item in work.known.values() if item.path == file.path), None)
    parts = read_parts(source, earlier)
    return Parsed(file, None, (*diagnostics, *parts.diagnostics), parts)


def _import(item: ast.Import, source: Source, importer: Parsed, work: _Work) -> None:
    span, target = item.target.span, item.target.value
    path = import_path(target, importer.path)
    if path is None:
        work.problems.append(messages.import_leads_out(source, span, target))
        return
    name = imported_name(target, importer.name)
    quiet = work.gathered.quiet(None if target.startswith(PACK) else importer.path)
    if work.given and not target.startswith(PACK):
        file = next((one for one in work.gathered.files.values() if one.path == path), None)
    else:
        file = read(path, quiet, name)
    work.gathered.total = quiet.total
    if file is None:
        why = quiet.problems[-1].message if quiet.problems else ""
        work.problems.append(messages.import_not_found(source, span, target, _instead(target, why)))
        return
    actual = file.digest.hex()
    if item.sha256 and item.sha256.lower() != actual:
        work.problems.append(messages.import_changed(source, span, target, actual))
        return
    _parse(file, work)


def _instead(target: str, why: str) -> str:
    """Return what to import in the place of what cannot be read."""
    if not target.startswith(PACK):
        near = _near(target)
        return (
            f"did you mean `{near}`?"
            if near
            else "; ".join(filter(None, (why, "the path is relative to the importing file")))
        )
    theme = target.removeprefix(PACK).strip("/")
    if theme.partition("/")[0] == THEME and added() is None:
        return f"the packs of `{THEME}` come with `{ADDED}`, which is not installed"
    if (pack_folder(theme) / theme).is_dir():
        return f"`{theme}` is a theme: import its packs one by one; `policy packs {theme}` lists them"
    near = _near(target)
    return f"did you mean `{near}`?" if near else why


def _near(target: str) -> str:
    """Return the shipped pack that an import most likely means, or an empty string."""
    known = [
        PACK + path.relative_to(packs).as_posix().removesuffix(SUFFIX)
        for packs in pack_folders()
        for path in packs.rglob(f"*{SUFFIX}")
    ]
    if target.startswith(PACK):
        return next(iter(get_close_matches(target, known, 1)), "")
    wanted = target.removesuffix(SUFFIX).removeprefix("./").removeprefix("rules/").removeprefix("packs/")
    exact = [one for one in known if wanted in (one.removeprefix(PACK), one.rpartition("/")[2])]
    return next(iter(exact or get_close_matches(PACK + wanted, known, 1, 0.8)), "")


def _digest(work: _Work) -> str:
    return source_digest((file.name, file.digest) for file in work.gathered.files.values())


def _finish(
    work: _Work, problems: list[Diagnostic], stronger: StrongerLayers | None = None, only_check: bool = False
) -> Loaded:
    digest = _digest(work)
    parsed = tuple(sorted(work.parsed.values(), key=lambda item: item.name))
    diagnostics = [*problems, *(diagnostics_of_check for item in parsed for diagnostics_of_check in item.diagnostics)]
    trees = [tree for item in parsed for tree in item.trees]
    faulty = [(tree, list(item.diagnostics)) for item in parsed if item.diagnostics for tree in item.trees]
    incomplete = [item for tree, messages in faulty for item in damaged(tree, messages)]
    memory = work.before.memory if work.before is not None else Memory()
    compilation = work.before.compilation if work.before is not None else Compilation()
    if stronger is not None:
        trees, dropped = stronger.without(trees)
        diagnostics += dropped
    policy, diagnostics_of_check = check(
        trees, words(), incomplete, memory, stronger.waivable if stronger is not None else NOTHING
    )
    diagnostics += independent([one for item in parsed for one in item.diagnostics], diagnostics_of_check)
    count = len(policy.rules) + len(policy.limits) + len(policy.hooks)
    if count > POLICY_RULES:
        diagnostics.append(messages.too_many_rules(nowhere("the policy set"), count, POLICY_RULES))
    program = None
    if stronger is None and not only_check and not any(item.severity == "error" for item in diagnostics):
        program = compile_policy(policy, digest, compilation)
    return Loaded(
        program,
        None if work.in_parts else policy,
        tuple(sorted_diagnostics(diagnostics)),
        digest,
        parsed,
        tuple(work.gathered.folders),
        memory,
        compilation,
    )

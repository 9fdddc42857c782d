"""`cc`: compiles: reads its sources and writes what `-o` names."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.quoting import quote_words
from policy_engine.programs.base import Arguments, EffectAnalysis

_WRITES = ("-o", "-MF", "-dumpdir", "-dumpbase", "--out-dir", "-serialize-diagnostics", "--serialize-diagnostics",
           "-index-store-path", "-emit-module-path", "-module-cache-path", "-header-dir")  # fmt: skip
_SEARCHED = ("-I", "-iquote", "-isystem", "-idirafter")
_SOURCES = (".c", ".cc", ".cpp", ".cxx", ".h", ".hpp", ".m", ".mm", ".s", ".S", ".sx", ".rs", ".asm")
_CODE = (*_SOURCES, ".hh", ".hxx", ".inc", ".def", ".inl", ".ipp", ".tcc", ".tpp", ".i", ".ii")  # honest builds' names
_INCLUDES = (
    r"(?m)^[ \t]*[#%][ \t]*(?:include|include_next|import|embed)[ \t]+[\"<]([^\"<>\n]+)[\">]"
    r"|^[^\n#;/]*?\bincbin[ \t]+\\?\"([^\"\\\n]+)\\?\"|^[ \t]*\.include[ \t]+\"([^\"\n]+)\""
    r"|\b(?:include_str|include_bytes)!\s*\(\s*\"([^\"\n]+)\""
)
_MOST = 32  # sources of one call, and names within one, that are looked at
_BYTES = 65_536  # of a source
_GLUED = ("-o", "-MF")


def touched(arguments: Arguments, analysis: EffectAnalysis) -> list[PathValue]:
    paths: list[PathValue] = []
    words = arguments.operands
    for place, word in enumerate(words):
        if word == "-wrapper" and place + 1 < len(words):
            analysis.shell(quote_words(words[place + 1].split(",")))
        if word in _WRITES and place + 1 < len(words):
            paths.append(analysis.path(words[place + 1], "write"))
        elif word.startswith(_GLUED) and word not in _GLUED:
            paths.append(analysis.path(word[3:] if word[:3] == "-MF" else word[2:], "write"))
        elif word[:2] in ("-I", "-L") and len(word) > 2:
            paths.append(analysis.path(word[2:], "read"))
        elif word[:1] != "-" and not (place and words[place - 1] in _WRITES):
            paths.append(analysis.path(word, "read"))
    folders = [word[2:] for word in words if word[:2] == "-I" and len(word) > 2]
    folders += [words[place + 1] for place, word in enumerate(words[:-1]) if word in _SEARCHED]
    sources = [path for path in paths if path.access == "read" and path.text.endswith(_SOURCES)]
    texts = [(path.text, analysis.text_in(path, _BYTES)) for path in sources[:_MOST]]
    if analysis.feed is not None and ("-" in words or not sources):
        texts.append(("", analysis.feed))
    return paths + [file for name, text in texts for file in _included(text, name, folders, analysis)]


def _included(text: str | None, source: str, folders: list[str], analysis: EffectAnalysis) -> list[PathValue]:
    """Return the files that are no code, and which a source puts into what is made of it by their literal names."""
    if text is None or not any(word in text for word in ("include", "incbin", "embed")):
        return []
    import re

    names = ["".join(groups) for groups in re.findall(_INCLUDES, text)]
    found: dict[str, PathValue] = {}
    for name in [name for name in dict.fromkeys(names) if not name.endswith(_CODE)][:_MOST]:
        for folder in ("", source.rpartition("/")[0], *folders):
            path = analysis.path(f"{folder}/{name}" if folder and name[:1] != "/" else name, "read")
            if path.known and (analysis.filesystem.present(path) or analysis.written(path)):
                found.setdefault(path.real, path)
    return list(found.values())

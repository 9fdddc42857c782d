"""Tell a analysis what the text of code says whatever it calls: quotes, backticks, variables, rights.

The half of `code` that looks at no calls. Imported by the hook path, `re` only when it is needed.
"""

from __future__ import annotations

from policy_engine.inline.loops import FOUND, each_found
from policy_engine.inline.values import with_variables
from policy_engine.model.partial import GLOB, ONE, PARENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable

    from policy_engine.inline.effect_analysis import EffectAnalysis

_WHOLE = frozenset("to_h to_a each each_pair map inspect items values copy toObject entries sort".split())


def tell_environment(code: str, analysis: EffectAnalysis) -> None:
    """The whole environment, or a variable that sounds like a secret."""
    import re

    for match in re.finditer(r"os\.environb?\b|process\.env|\bENV\b|%ENV|getenv|\$_ENV|Deno\.env", code):
        rest = code[match.end() : match.end() + 60]
        names = re.match(r"""[\[.({]?(?:get\()?\s*['"]?(\w+)""", rest)
        if (
            not names
            or names[1] in _WHOLE
            or re.search(r"SECRET|TOKEN|PASSW|KEY|CREDENTIAL|PRIVATE", names[1], re.IGNORECASE)
        ):
            analysis.does("discloses")


_LITERAL = r"(?:'[^'\n]*'|\"[^\"\n]*\")"
_BRACKETS = r"\s*(?:\(([^()]*)\)|\{([^{}]*)\}|\[([^\]]*)\]|<([^<>]*)>|/([^/]*)/|\|([^|]*)\||!([^!]*)!)"


def plain_quotes(code: str, language: str = "") -> str:
    """Lists and texts in the quotes of Perl and Ruby as other languages write them: `qw(a b)`, `%w[a b]`, `q(a)`,
    and the patterns of `glob` as literals that are patterns.
    """
    import re

    if language.startswith("perl"):
        code = _perl_quotes(code)
    if language.startswith(("perl", "php", "ruby")):
        code = each_found(code, _pattern)
    if language.startswith("ruby"):  # `Pathname.new("x").read` is `read("x")`
        found = rf"\bDir(?:\.glob)?\s*[\[(]\s*({_LITERAL})\s*[\])]"
        each = rf"{found}\.each\s*\(\s*&\w+\.method\(\s*:(\w+)\s*\)\s*\)"
        code = re.sub(each, lambda result: f"{result[2]}({_pattern(result)})", code)
        code = re.sub(rf"(?<=[\s(,])\*?{found}(?=\s*(?:[,;)\n}}]|$))", _pattern, code)
        code = re.sub(rf"(?<![\w)\]])%([qQ]){_BRACKETS}", _text, code)
        code = re.sub(rf"(?<=[(,=])(\s*)%{_BRACKETS}", lambda result: result[1] + _text(result), code)
        code = re.sub(r"\bPathname(?:\.new)?\(\s*(['\"][^'\"\\]*['\"])\s*\)\.(\w+)(?![\w(])", r"\2(\1)", code)
    if language.startswith(("perl", "php")):
        code = re.sub(rf"\bglob\s*\(?\s*({_LITERAL}(?:\s*\.\s*{_LITERAL})*)\s*\)?", _pattern, code)

    def listed(match: re.Match[str]) -> str:
        return "(" + ", ".join(repr(word) for word in match[match.lastindex or 0].split()) + ")"

    return re.sub(r"(?:\bqw|%w)\s*(?:\(([^)]*)\)|\[([^\]]*)\]|\{([^}]*)\}|/([^/]*)/|\|([^|]*)\|)", listed, code)


def _text(match: re.Match[str]) -> str:
    """The text between the brackets of a match, whose first group says how it is quoted, as a plain literal."""
    inner = next(group for group in match.groups()[1:] if group is not None)
    mark = '"' if match[1] in ("qq", "Q") else "'"
    return mark + inner.replace("\\", "\\\\").replace(mark, "\\" + mark) + mark


def _pattern(match: re.Match[str]) -> str:
    """One literal for a pattern that is joined of some, with `ONE` for what stands for parts of hidden names."""
    import re

    joined = "".join(text[1:-1] for text in re.findall(_LITERAL, match[1]))
    hidden = re.compile(r"(^|/)(\.[^/*?\[{]*)(?:[*?\[{][^/]*)")  # `*` alone stands for no hidden name
    return repr(GLOB + hidden.sub(lambda name: name[1] + name[2] + ONE, joined))


def _perl_quotes(code: str) -> str:
    """`q(…)` and `qq(…)` as plain literals, `unlink <*.o>` as `unlink glob`, `path("x")->slurp` as `slurp("x")`."""
    import re

    code = re.sub(rf"(?<![\w$@%>])(qq?)(?!\w|\s*=>|\s*[,;)]){_BRACKETS}", _text, code)
    code = re.sub(
        rf"\bpath\(\s*({_LITERAL})\s*\)->(slurp|lines|remove|touch)(?:_(?!tree)\w+)?\b(?!\()", r"\2(\1)", code
    )
    topic = r"\b(unlink|rmdir)\s*\(?\s*(?:\$_)?\s*\)?"
    code = re.sub(rf"{topic}\s+for(?:each)?\s+", r"\1 ", code)  # `unlink for glob("*")`
    code = re.sub(rf"\bmap\s*\{{\s*{topic}\s*;?\s*\}}\s*", r"\1 ", code)
    code = re.sub(r"\b(unlink|rmdir)\s+(?:grep\s*\{[^{}]*\}|sort|reverse)\s*(?=glob|<)", r"\1 ", code)
    code = re.sub(r"(\bunlink)\s*\(?\s*<([^<>\n]+)>\s*\)?", r"\1 glob('\2')", code)
    return _without_patterns(_walked(_with_topic(code)))


_BEFORE_PATTERN = (
    r"(?:[=!]~|(?<![\w$@%>{])(?:if|unless|and|or|not|split|grep|while|until|return|print)\b|[(!{;]|&&|\|\||^)\s*"
)


def _without_patterns(code: str) -> str:
    """Code of Perl without what stands in its regular expressions, where that is surely one and runs no code."""
    import re

    body = r"(?:(?!\(\?\??\{)[^/\\\n\"'`@]|\\[^\n\"'`])+"

    def emptied(match: re.Match[str]) -> str:
        before = code[: match.start()]
        return match[0] if before.count('"') % 2 or before.count("'") % 2 else f"{match[1]}//"

    return re.sub(rf"({_BEFORE_PATTERN}\(?\s*m?)/{body}/", emptied, code)


_STATEMENT = (
    r"(?:^|[;,?:}\n]|(?<!\w)\{|\b(?:sub|map|grep|do|else|eval)\{|&&|\|\||\b(?:and|or|not|print|say|return)\b)\s*"
)
_ENDED = r"(?=\s*(?:[;}?:\n]|$|&&|\|\||\b(?:if|unless|or|and|for|foreach|while|until)\b))"


def _with_topic(code: str) -> str:
    """Code of Perl with `$_` where a call that acts on it, or a loop that sets it, leaves it out."""
    import re

    def named(match: re.Match[str]) -> str:
        whole = code[: match.start(2)].count('"') % 2 == 0 and code[: match.start(2)].count("'") % 2 == 0
        return f"{match[1]}{match[2]}($_)" if whole else match[0]

    code = re.sub(rf"({_STATEMENT})(unlink|rmdir|readpipe|eval)(?:\s*\(\s*\))?{_ENDED}", named, code)
    return re.sub(rf"\b(for(?:each)?)\s*\((?=\s*(?:{FOUND}|@\w+)\s*\))", r"\1 $_ (", code)


def _walked(code: str) -> str:
    """Code of Perl in which what the function given to `File::Find` deletes is the tree that is walked, or the files
    in it whose ending it looks for.
    """
    import re

    def acts(match: re.Match[str]) -> str:
        body, place = match[2], match[3].strip()
        ends = re.findall(r"/\\\.(\w+)\$/", body)
        literal = re.fullmatch(_LITERAL, place)
        if len(ends) == 1 and literal:
            body = re.sub(_DELETED, lambda _: f"unlink({f'{GLOB}{place[1:-1]}/**/*.{ends[0]}'!r})", body)
        elif place[:1] != "$" or "HOME" in place:
            body = re.sub(_DELETED, lambda _: f"rmtree({place})", body)
        return f"{match[1]}{body}}}, {place})"

    return re.sub(
        r"(\bfind(?:depth)?\s*\(\s*sub\s*\{)(.*?)\}\s*,\s*([^,;]*?)\)(?=\s*(?:[;}]|$))", acts, code, flags=re.S
    )


_DELETED = r"\b(?:unlink|rmdir)\s*\(?\s*(?:\$_|\$File::Find::name)\s*\)?"


_QUOTED = r"[rbu]?(?:'([^'\\]*)'|\"([^\"\\]*)\")"
_SHADOWS = r"\b(def|lambda|function|for|while|sub|fn)\b|=>|->|\|\w+\|"


def folded(code: str, home: str) -> str:
    """Code with plain texts for what is surely one: paths that are joined, variables that are set once and for all."""
    import re

    def text(match: re.Match[str]) -> str:
        return next((group for group in match.groups() if group is not None), "")

    def joined(match: re.Match[str]) -> str:
        return repr("/".join(one or two for one, two in re.findall(_QUOTED, match[1])))

    code = _at_home(code, home)
    homes = rf"(?:\b\w+\.)*\b(?:expanduser|expand_path|[pP]ath\.expand|normalizePath)\(\s*{_QUOTED}\s*\)"
    code = re.sub(homes, lambda m: repr(re.sub(r"^~(?=/|$)", home, text(m))), code)
    code = re.sub(
        r"(?:\b(?:os\.)?[pP]ath\.join|\bFile\.join|\bjoinpath|\bfile\.path)\(((?:\s*['\"][^'\"\\]*['\"]\s*,?)+)\)",
        joined,
        code,
    )
    code = re.sub(rf"\bPath\.home\(\)\s*/\s*{_QUOTED}", lambda m: repr(f"{home}/{text(m)}"), code)
    place = r"(?:\bnew\s+)?(?:\b\w+\.)*\b(?:Path|Paths?\.(?:of|get)|File|URL)\(\s*(?:fileURLWithPath:\s*)?"
    code = re.sub(rf"{place}{_QUOTED}\s*\)(?=\s*[,)])", lambda m: repr(text(m)), code)
    if re.search(_SHADOWS, code):
        return code
    for name in dict.fromkeys(re.findall(r"([$\w]+)\s*=(?!=)", code)):
        set_once = re.findall(rf"(?<![\w$.]){re.escape(name)}\s*=\s*{_QUOTED}\s*(?=[;\n]|$)", code)
        if len(set_once) == 1 and len(re.findall(rf"(?<![\w$]){re.escape(name)}\s*[-+*/.|&]?=(?!=)", code)) == 1:
            value = repr(set_once[0][0] or set_once[0][1])
            code = re.sub(rf"(?<=[(,\s]){re.escape(name)}(?=\s*[,)])", lambda _: value, code)  # noqa: B023
    return code


HOME_CALLS = (  # calls of any language that give the home folder
    r"\bos\.UserHomeDir\(\)|\bos\.Getenv\(\"HOME\"\)|\b(?:(?:std::)?env|dirs|home)::(?:home_dir\(\)|var(?:_os)?\(\"HOME\"\))"
    r"(?:\.(?:unwrap\w*|expect|ok|into_string|into)\((?:[^()]|\([^()]*\))*\)|\.map\([\w:]+\)|\?)*|\benv!\(\"HOME\"\)|\bSystem\.(?:getProperty\(\"user\.home\"\)|getenv\(\"HOME\"\))|"
    r"\bSystem\.(?:user_home!?\(\)|get_env\(\"HOME\"\)|fetch_env!\(\"HOME\"\))|\b(?:os\.)?homedir\(\)|\bprocess\.env(?:\.HOME\b|\[[\"']HOME[\"']\])!?|\bENV\[\"HOME\"\]|"
    r"\b(?:path\.expand|normalizePath)\(\"~\"\)|\bSys\.getenv\([\"']HOME[\"']\)|\bNSHomeDirectory\(\)|\$(?:::)?env\(HOME\)|\bPath\.expand\(\"~\"\)"
)


def _at_home(code: str, home: str) -> str:
    """Code of Ruby, Perl, PHP and Lua with literals for what stands for the home folder, or the folder it runs in."""
    import re

    variable = r"ENV\[['\"]HOME['\"]\]|ENV\.fetch\(['\"]HOME['\"]\)"
    code = re.sub(rf"#\{{\s*(?:Dir\.home|{variable})\s*\}}", lambda _: home, code)
    code = re.sub(rf"#\{{\s*(?:{HOME_CALLS})\s*\}}|\$\((?:{HOME_CALLS})\)", lambda _: home, code)
    code = re.sub(HOME_CALLS, lambda _: repr(home), code)
    code = re.sub(r"#\{\s*Dir\.pwd\s*\}", ".", code)
    code = re.sub(r"\bDir\.pwd\b", repr("."), code)
    others = r"\b(?:os\.)?getenv\(['\"]HOME['\"]\)|\$_SERVER\[['\"]HOME['\"]\]"
    code = re.sub(rf"\bDir\.home\b(?!\()|\b(?:{variable})|{others}", lambda _: repr(home), code)

    def perl(match: re.Match[str]) -> str:
        return home if code[: match.start()].count('"') % 2 else repr(home)

    return re.sub(r"\$ENV\{['\"]?HOME['\"]?\}", perl, code)


_SIGNALLING = r"\b(kill|killpg|terminate|suspend|send_signal|signal|nice|ptrace|posix_kill|setpriority)\b"
_ANCESTORS = r"\bparents\(\)|\bparent\(\)\s*\.\s*parent\(\)"


def tell_rights(code: str, analysis: EffectAnalysis, in_file: bool = False) -> None:
    """Tell of processes without end, of those that keep the session, and of another user's rights."""
    import re

    if "psutil" in code and re.search(_ANCESTORS, code) and re.search(_SIGNALLING, code):
        analysis.does("controls-engine")  # its parent is the shell of the call, and what is above that the session
    if ("ppid" in code or (not in_file and "process_iter" in code)) and re.search(_SIGNALLING, code):
        analysis.signals(PARENT)
    elif re.search(r"\bkill\b[\s(]*([\w'\"]+\s*,\s*)?-1\b", code):
        analysis.signals("-1")
    if re.search(r"\bset(e|re|res)?[ug]id\b", code):
        analysis.doubt("elevates", "the code changes the user that it runs as")
    if re.search(r"\bfork\b", code) and re.search(r"\b(while|loop|until|for|iter|count|cycle)\b", code):
        if len(code) < 60:
            analysis.does("formats", "kills")
        else:
            analysis.doubt("formats", "the code may make processes without end")


def evaluates(code: str, language: str) -> bool:
    """`eval EXPRESSION` of Perl, Ruby and PHP, without brackets; `do FILE` of Perl, which begins a block elsewhere."""
    import re

    verbs = "eval|exec|system|readpipe|do" if language.startswith("perl") else "eval|exec|system"
    named = rf"""\b({verbs})\s+(?!["'({{])[\w$@:\[`<]|[(,]\s*(eval|exec|Function)\s*[),]|\b({verbs})\s*\(\s*\$_\b"""
    named += r"|\b(?:eval|readpipe)\s*(?:[;}]|$)"
    return re.search(named, code) is not None


_INPUT = r"STDIN|ARGF|\$<|\$stdin|<>|<STDIN>|<ARGV>|\bio\.(?:read|lines)\b|php://(?:stdin|input)|\bstdin\b|\bgets\b"
_OF_INPUT = r"['\"](?:/dev/stdin|/dev/fd/0|/proc/self/fd/0|php://stdin)['\"]"
_EVALUATES = r"\b(?:eval|instance_eval|class_eval|module_eval|loadstring|include_string|evalstring|create_function)\b"
_LOADS_FILE = (
    r"\b(?:load|loadfile|dofile|require|require_relative|include|include_once|require_once|source|do|run_path)"
)


def runs_input(code: str, language: str) -> bool:
    """Return whether code runs what its standard input says: as a text, or by the name that it has as a file."""
    import re

    if language.startswith("lua") and re.search(r"\b(?:dofile|loadfile)\s*\(\s*\)|\bload\s*\(\s*(?!['\"])", code):
        return re.search(_INPUT, code) is not None or "file()" in code.replace(" ", "")
    if re.search(rf"{_LOADS_FILE}\b\s*\(?\s*{_OF_INPUT}", code):
        return True
    whole = re.search(rf"{_INPUT}|{_OF_INPUT}", code)
    return whole is not None and re.search(rf"{_EVALUATES}\s*(?!\s*\(?\s*['\"{{])", code) is not None


def backticks(code: str, analysis: EffectAnalysis) -> list[str]:
    """Perl, Ruby and PHP start what stands in backticks or `qx`."""
    import re

    if analysis.name in ("node", "nodejs", "python", "deno") or analysis.name.startswith("python"):
        return []
    brackets = r"\s*(?:\{((?:[^{}]|\{[^{}]*\})*)\}|\(((?:[^()]|\([^()]*\))*)\)|/([^/]*)/|\[([^\]]*)\]|!([^!]*)!)"
    form = rf"`([^`]+)`|(?:qx|%x){brackets}"
    lines = [next(filter(None, match.groups())) for match in re.finditer(form, code) if any(match.groups())]
    if not analysis.name.startswith(_RUBIES):
        return lines
    return [with_variables(re.sub(r"#\{[^{}]*\}", lambda _: ONE, line)) for line in lines]


_LOADS = (
    r"\b(?:source|source_url|sourceCpp|include|include_once|require|require_once|import|load|dofile)\s*[( ]\s*"
    r"(?:(?:url|download|String|read)\s*\(\s*){0,2}['\"`](?:https?|ftp)://"
)
_RUBIES = ("ruby", "bundle", "rake", "vagrant", "brew", "guard")  # their `source` names where packages come from
_INSTALLS = r"\binstall_(?:github|gitlab|bitbucket|git|url|svn)\s*\(|\bPkg\.(?:add|develop)\s*\(\s*url\b"


def tell_sources(code: str, analysis: EffectAnalysis) -> None:
    """Tell that code loads other code from an address (`source("https://…")`), or installs a package from one."""
    if "://" not in code and "install_" not in code:
        return
    import re

    loads = _LOADS.replace("source|", "", 1) if analysis.name in _RUBIES else _LOADS
    if re.search(loads, code):
        analysis.does("network", "executes-remote")
    elif re.search(_INSTALLS, code):
        analysis.does("network")
        analysis.doubt("executes-remote", "a package is fetched from a repository, and its set-up is run")


_GITS = (
    r"\b(?:import|from) git\b|\bgit\.Repo\b|\bpygit2\b|\bdulwich\b|\bsimple-?[gG]it\b|\bnodegit\b|\bisomorphic-git\b"
    r"|\bgo-git\b|\b[rR]ugged\b|\bgit2\b|\bjgit\b|\bGit\.open\b"
)
_FORCES = r"\b[fF]orce\w*['\"]?\s*(?:=>|[=:])\s*(?:[tT]rue|1)\b|['\"](?:-f|--force(?:-with-lease)?(?:=[^'\"]*)?)['\"]"
_CALL = 1024  # characters of the arguments of a push
_MIRRORS = r"\bmirror['\"]?\s*[=:]\s*[tT]rue\b|['\"]--mirror['\"]"
_DELETES_BRANCH = r"\bdelete['\"]?\s*[=:]\s*[tT]rue\b|['\"](?:-d|--delete)['\"]"


def tell_pushes(code: str, analysis: EffectAnalysis, pieces: Callable[[str, int], list[str]]) -> None:
    """Tell of a push by a library of git that forces, mirrors or deletes, as the line of git that does the same."""
    if "ush" not in code:
        return
    import re

    if not re.search(_GITS, code):
        return
    from policy_engine.model.quoting import quote_words

    for match in re.finditer(r"\b(?:(push|Push)\w*|raw|execute)\s*\(", code):
        given = ", ".join(pieces(code[: match.end() + _CALL], match.end()))
        texts = re.findall(r"['\"`]([^'\"`\s]+)['\"`]", given)
        if re.search(r"\bdry_?[rR]un['\"]?\s*[=:]\s*[tT]rue|['\"]--dry-run['\"]", given) or not (
            match[1] or "push" in texts
        ):
            continue
        for name in re.findall(r"(?<![\w.'\"])([A-Za-z_]\w*)(?![\w(.'\"]|\s*=)", given):
            texts += re.findall(rf"\b{name}\s*:?=\s*[bf]?['\"`]([^'\"`\s]+)['\"`]", code)[:1]
        specs = [text for text in texts if re.fullmatch(r"[+:]?[\w*][\w./*:-]*", text) and text not in ("git", "push")]
        marks = {"--force": _FORCES, "--mirror": _MIRRORS, "--delete": _DELETES_BRANCH}
        flags = [flag for flag, pattern in marks.items() if re.search(pattern, given)]
        if flags or any(spec[0] in "+:" for spec in specs):
            analysis.shell(quote_words(["git", "push", *flags, "origin", *([] if "--mirror" in flags else specs)]))

"""The parts of a prompt: blocks of code, entries of lists, headings, sentences, and what a host put between tags."""

from __future__ import annotations

import itertools
import re

from policy_engine.history.bare_commands import BARE, SPAN
from policy_engine.model.lazy_regex import lazy

TAGGED = lazy(r"<([a-zA-Z][\w-]*)(?:\s[^<>]*)?>.*?</\1>", re.DOTALL)
FENCE = lazy(r"^[ \t]*(`{3,}|~{3,})[ \t]*([\w-]*)[^\n]*\n(.*?)(?:^[ \t]*\1[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
BULLET = lazy(
    r"^\s*(?:[-*+•]\s+|\(?\d{1,2}[.)、]\s*(?!\d)|(?:\*\*)?\d+(?:\.\d+)+(?:\*\*)?[.):]?\s+|\[[ xX]\]\s*"
    r"|[a-z][.)]\s+|[一二三四五六七八九十][、.]\s*)+"
)
DONE_MARKS = ("✅", "✔", "✓", "☑", "❌", "🟢")
HEADING = lazy(
    r"^\s*(#{1,6})\s+(.*?)\s*#*$|^\s*\*\*([^*`]{2,60})\*\*\s*[:：]?\s*$|^\s*([A-Z][\w /-]{2,40}|[一-鿿]{2,10})[:：]\s*$"
)
SHELLS = frozenset(
    (
        "",
        "sh",
        "bash",
        "zsh",
        "shell",
        "console",
        "shell-session",
        "terminal",
        "text",
        "cmd",
        "fish",
        "powershell",
        "pwsh",
        "ps1",
        "bat",
    )
)
SENTENCE = lazy(r"(?<=[。！？])|(?<=[.!?])(?<![\s:：]\d\.)\s+(?=\S)|(?<=[.!?])(?=$)|\n")
TITLE = lazy(
    r"(?:\b(?:verification|verify|acceptance|validation|definition of done|done (?:when|means)|completion"
    r"|how to (?:check|test|validate)|ship(?:ping)? criteria|success criteria|test plan|checks? (?:to|before)"
    r"|required (?:checks|commands)|final checks?"
    r"|gates?|exit criteria|how to verify|before (?:you )?(?:finish|finishing|commit|committing|done|submitting"
    r"|pushing))\b|验收|验证|完成条件|完成标准|自测|检查项)",
    re.IGNORECASE,
)
NO_TITLE = lazy(
    r"\b(?:manual(?:ly)?|already|results?|evidence|report|history|log|done so far|completed)\b|手动|手工|人工|结果"
    r"|记录",
    re.IGNORECASE,
)
RUN_TITLE = lazy(
    r"\b(?:run|verify|check)\b.*\b(?:tests?|suite|checks?|lint|linters?|build|gates?)\b|运行.*测试", re.IGNORECASE
)
FORBIDS = lazy(
    r"\b(?:do not|don'?t|never|(?<!to )avoid|forbidden|prohibited|not allowed|out of scope|must not|not to)\b|不要|禁止"
    r"|切勿|不得",
    re.IGNORECASE,
)
UNLESS = lazy(r"\b(?:until|unless|before)\b|之前|直到", re.IGNORECASE)
CASE = lazy(r"^(?:if|whenever|in case)\b[^,]*:$", re.IGNORECASE)
FAILURES = lazy(
    r"\b(?:reproduc\w*|repro|actual (?:behaviou?r|result)|troubleshoot\w*|debugging|common (?:errors|failures"
    r"|problems|issues)|failures?|failed|fails)\b|排错|故障|复现|重现",
    re.IGNORECASE,
)
"""Titles of what is done only where something failed, or was done to show it."""
CAUSES = lazy(
    r"^\W*(?:(?:common|possible|likely) (?:causes|reasons|fixes|solutions)|fixes to try|how to fix(?: it| this)?)\W*$",
    re.I,
)
"""Titles of an explanation of a fault that was pasted."""
LOG = lazy(
    r"^\s*(?:#\d+ (?:[A-Z]{4,}|\d+\.\d+)\b|-{6,}$|hint: |To address all|To (?!verify|check|test|validate"
    r"|confirm)[a-z ]{3,40} run: |.{0,4}Run `npm (?:audit|fund)|> [\w@/.-]+@\d"
    r"|[✓✗×▲❯⎿●⨯]\s|npm (?:ERR!|WARN|warn|error)|\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|Traceback|File \"|at \S+ \(|\w+Error:"
    r"|Module not found|={4,}\s|FAILED |ERROR\b|WARNING\b|(?:error|warning|Error)(?:\[\w+\])?:(?!.*\b(?:fix|pls|then"
    r"|make sure)\b)"
    r"|For more information (?:about|see)|[\w./\[\]-]{1,120}\.\w{1,4}:\d+:\d+(?=\s*$|:|[ -]+error))|\berror TS\d"
)
"""A line of the output of a program."""
CONFIG = lazy(r"(?m)^[ \t]*(?:-[ \t]+)?(?:(?:runs-on|uses|image): \S+|(?:services|steps):)$|^FROM [\w.-]+[:/]\S+")
CONFIG_LINE = lazy(r"\s*(?:- +)?(?:(?:run|command|script|entrypoint|test):\s|(?:RUN|CMD)\s)")
MEMBER = lazy(r"\s*\{?\"[\w:./@-]+\"\s*:\s*[\"\[{\d]")
"""The lines that only configurations have, those of them that hold commands, and the member of an object."""
STEP_LOG = lazy(r"^Run [^\n]+\n(?:[ \t]+[^\n]*\n){1,9}?[ \t]+shell: [^\n]*$", re.MULTILINE)
"""A step in the log of a pipeline."""
TASKS = lazy(
    r"^\W*(?:(?:when|once) (?:you are |you're )?(?:invoked|called|asked)[,:]?\s*"
    r"|当?被调用时[,，:：]?)?(?:(?:and )?(?:then|finally|afterwards|after that|when done|at the end|next)|(?:to-?dos?"
    r"|tasks?|steps?|plan|check-?list|what to do|next steps|your (?:tasks?|job)|work items)"
    r"|(?:please )?(?:do|perform|execute|run|follow|work through|go through) (?:this|these|the following|all of (?:this"
    r"|these))(?: \w+){0,3}"
    r"(?: in (?:this |the given )?order| one by one)?|(?:execute |run )?in (?:(?:this|that) )?order|步骤|任务|待办|计划"
    r"|按顺序)\W*$",
    re.IGNORECASE,
)
"""Titles of a list whose entries are to be done."""
REFERENCE = lazy(
    r"\b(?:commands|cheat ?sheet|quick ?start|usage|getting started|installation|available scripts|scripts"
    r"|project structure|examples?|background|context|environment)\W*$|(?:常用|可用|开发)?命令\W*$|背景|示例",
    re.IGNORECASE,
)
"""Titles of what is listed to be looked up."""
REPORT = lazy(
    r"^[^\w\n]*bug report|^[^\w\n]*(?:actual|expected)(?: behaviou?r| results?| output)?[^\w\n]*:|\bsee error\b",
    re.IGNORECASE | re.MULTILINE,
)
"""Lines of a report of a fault."""
STEPS = lazy(r"^[^\w\n]*steps(?=[^\w\n]*$)", re.IGNORECASE | re.MULTILINE)
"""The title of the steps of a report, which were taken."""
CONTENT = lazy(
    r"^[^\n`]{0,80}(?:(?:\b(?:replace|overwrite|set)\b[^\n]{0,100}"
    r"|\b(?:change|update)\b[^\n]{0,40}\b(?:contents?|text|file|everything)\b[^\n]{0,60})\b(?:with|by|to)"
    r"(?: (?:the following|this|exactly|only))*|\b(?:with|has|have|as|its|file|the|following"
    r"|exact) (?:(?:the )?(?:following|this|exact|exactly|new|below) )*"
    r"(?:contents?|text|template)(?: (?:below|exactly|as follows))?|\b(?:write|put|save|paste|add|append|insert"
    r"|copy) (?:this|that|it|the following|these lines)"
    r"(?: \w+){0,2} (?:to|in|into|as|at) [^\n:]{2,60}|\bhere(?:'s| is| are) (?:the|my|our|a) (?:new |current |updated "
    r"|full )*[\w./-]+\.(?:md|txt|json|ya?ml|toml|mdc)\b[^\n:]{0,20}|内容(?:如下|为|改为|替换为"
    r"|是)?)\s*[:：]\s*\n(?=\s*\S)",
    re.IGNORECASE | re.MULTILINE,
)
"""What announces the content of a file."""
DASHED = lazy(
    r"^(?!\W*(?:if|when\w*|once|before|after|until|unless|for|only|as|while|in case|to|the|step)\b)"
    r"([^\ue000-\uf7ff:：\n]{12,}?\w)\s[-–—]{1,2}\s+(?=[a-z一-鿿])",
    re.IGNORECASE | re.MULTILINE,
)
"""A clause that a dash ends."""
_WRAPPED = 55  # characters of a line that may have been broken for its length
_RUNS_ON = lazy(
    r"(?:[,:;，：；、(（`&+>→-]|\b(?:and|or|the|an?|to|with|of|for|in|on|that|if|is|are|be|run|then|please|must|should))\s*$",
    re.IGNORECASE,
)
_GOES_ON = lazy(
    r"\s*(?:(?:and|or|but|so|to|until|till|that|which|must|should|has|have|is|are|of|with|in|on|for|before|after|by|if"
    r"|when|again|pass\w*)\b|[,;)）&|→]|->|=>)"
)
"""How a line ends that the next one continues, and how that begins."""


def join_lines(lines: list[str]) -> str:
    """Return the lines of a paragraph as one text, with a line break where a line ends a sentence without a mark."""
    text = ""
    for line, below in itertools.zip_longest(lines, lines[1:], fillvalue=""):
        runs_on = (
            len(line) >= _WRAPPED
            or _RUNS_ON.search(line)
            or _GOES_ON.match(below)
            or (is_bare(line) and is_bare(below))
        )
        text += line + (" " if runs_on else "\n")
    return text.strip()


def is_title(lines: list[str], number: int) -> bool:
    """Return whether a short line without an end stands above a list."""
    line = lines[number].strip()
    below = next((other for other in lines[number + 1 : number + 3] if other.strip()), "")
    return line[-1:].isalnum() and len(line.split()) <= 8 and "`" not in line and BULLET.match(below) is not None


def is_output(lines: list[str], number: int, item: bool) -> bool:
    """Return whether a line is indented below one that does not announce it, or is the title of such lines."""
    line, above = lines[number], lines[number - 1] if number else ""
    under, second = (*lines[number + 1 : number + 3], "", "")[:2]
    if line.startswith("Run ") and (under.strip() or second).startswith("> "):
        return True
    if item or (not line[-1:].isalnum() and not above[-1:].isalnum()) or BULLET.match(line):
        return False
    if under[:2] == "  " and line[:2] != "  " and line[-1:].isalnum():
        return BULLET.match(under) is None and not is_bare(under.strip())
    return line[:2] == "  " and above[-1:].isalnum()


def is_bare(line: str) -> bool:
    """Return whether a line is a command and nothing else."""
    match = BARE.match(line)
    return (match is not None and match.end() == len(line)) or SPAN.fullmatch(line) is not None

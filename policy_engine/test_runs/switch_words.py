"""Keep, by language, how a test is written, and the words by which one that is written down does not run.

Patterns are searched in lines whose texts are empty (`''`), and whose calls of several lines are joined. A language has
the row of its name and that of every language. Not on the hook path: it is imported when an edit touches a file of
tests, or when a run of tests passed.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_ENDINGS = {
    "python": "py pyi", "javascript": "js jsx mjs cjs ts tsx mts cts", "go": "go", "rust": "rs",
    "jvm": "java kt kts scala groovy", "dotnet": "cs fs vb", "ruby": "rb", "php": "php", "c": "c h cc cpp cxx hpp",
    "swift": "swift", "dart": "dart", "elixir": "exs ex", "zig": "zig", "haskell": "hs lhs", "shell": "bats sh",
}  # fmt: skip
_OF = {ending: language for language, endings in _ENDINGS.items() for ending in endings.split()}
_JS = r"(?:it|test|specify|describe|context|suite|bench)"
_EVERY = ""
"""The row of every language."""
ALWAYS = {
    "python": (
        r"^\s*del\s+(?:\w+,\s*)*(?:test|Test)|\b__test__\s*=\s*False|\bmark\.skip\b"
        r"|\bmark\.xfail\b(?!\(\s*(?!reason\b|strict\b|raises\b|run\b|True\b|\))\S)"
        r"|\bmark\.skipif\(\s*(?:True|1|not\s+(?:False|0))\b|\bskipIf\(\s*(?:True|1)\b|\bskipUnless\(\s*(?:False|0)\b"
        r"|@(?:\w+\.)?(?:nottest|expectedFailure)\b|@(?:unittest\.)?skip\b|\bpytest\.(?:skip|xfail)\(|\.skipTest\("
        r"|^\s*(?:skip|xfail)\(\s*(?:''|reason\b|\))|\braise\s+(?:\w+\.)*(?:SkipTest|Skipped|skip\.Exception)\b"
        r"|parametrize\([^()]*\[\s*:\s*0\s*\]|\bmark\.repeat\(\s*(?:count\s*=\s*)?0\s*\)"
        r"|\bsettings\(.*\bphases\s*=\s*(?:\[(?!.*\b(?:generate|explicit)\b)|\((?!.*\b(?:generate|explicit)\b)"
        r"|set\(\)|tuple\(\))"
        r"|parametrize\(\s*(?:''|\[[^\]]*\]|\([^)]*\))\s*,\s*(?:argvalues\s*=\s*)?(?:\[\s*\]|\(\s*\)|set\(\))\s*[,)]"
    ),
    "javascript": (
        rf"\b{_JS}(?:\.\w+)*\.(?:skip|todo|only|fails|failing|fixme)(?:\.\w+)*(?:\(\s*(?:''|\)|\[)|\(\s*$)"
        rf"|(?:\b{_JS}\([^,(){{}}]*,|^\s*\}}\s*,)\s*\{{[^{{}}]*\b(?:skip|todo|fails|only|ignore)['\"]?\s*:\s*(?:true\b|1\b|'')"
        rf"|(?<![.\w])[xf](?:it|describe|test|context)\(\s*''|\b{_JS}(?:\.\w+)*\.(?:skipIf\(\s*true|runIf\(\s*false|if\(\s*false)"
        r"|\b(?:t|ctx|context|task|this|testContext)\.(?:skip|todo)\(|^\s*(?:await\s+)?(?:skip|pending)\(\s*(?:''|\))"
        rf"|\b{_JS}\.(?:skip|fixme|fail)\(\s*(?:''|\)|true\b)|\bDeno\.test\.(?:ignore|only)\("
        rf"|(?<![.\w$])(?:false|0|null)\s*(?:&&|\?)\s*{_JS}\b|(?<![.\w$])(?:true|1)\s*\|\|\s*{_JS}\b"
        rf"|^\s*(?:(?:const|let|var)\s+)?(?:it|test|describe)\s*=\s*(?:{_JS}\.skip\b|x\w+\b|\(|async\b|function\b)"
        rf"|^\s*function\s+(?:it|test|describe)\s*\(|\b{_JS}(?:\.\w+)*\.each\(\s*\[\s*\]\s*\)"
        r"|^\s*(?:it|test|specify)\(\s*''\s*\)|\bnumRuns['\"]?\s*:\s*0\b(?!\.)"
    ),
    "go": (
        r"(?<![\w.])(?:[tbf]|tb|tt|(?:\w+\.)?T\(\))\.Skip(?:f|Now)?\("
        r"|(?<![.\w])[PXF](?:It|Describe|Context|When)\(|^\s*Skip\("
    ),
    "rust": (
        r"#\[ignore\b|#\[cfg_attr\(\s*all\(\)\s*,\s*ignore|\bwith_cases\(\s*0\s*\)|\bcases\s*:\s*0\s*[,}]"
        r"|\bQuickCheck::new\(\).*\.tests\(\s*0\s*\)"
    ),
    "jvm": (
        r"@(?:\w+\.)*(?:Disabled|Ignore|Ignored|PendingFeature|Requires\(\s*\{\s*false)\b(?!\w)|\benabled\s*=\s*false\b"
        r"|@Property\(.*\btries\s*=\s*0\b"
        r"|\bassume(?:True|That)\(\s*(?:!\s*true|false)\b|\bassumeFalse\(\s*(?:true|!\s*false)\b|\bAssumptions\.abort\("
        r"|\bthrow\s+(?:new\s+)?(?:\w+\.)*(?:TestAborted|AssumptionViolated|Skip|TestSkipped)\w*\("
        r"|^\s*(?:xtest|xit|xdescribe|xcontext|xscenario|ignore|pending)\b\s*\(?|\bin\s+ignore\b"
    ),
    "dotnet": (
        r"\[<?(?:[\w()., '=]+[,;]\s*)?(?:\w+\.)*(?:Ignore|Explicit|Skip)(?:Attribute)?\b(?!\s*=)"
        r"|\[<?(?:\w+\.)*(?:Fact|Theory|\w*Data|Test\w*)\(.*\b(?:Skip|Ignore|Explicit)\s*=(?!\s*(?:null|false))"
        r"|\bAssert\.(?:Ignore|Inconclusive|Skip)\(|\bSkip\.If\(\s*true|\bSkip\.(?:If)?Not\(\s*false|\bAssume\.That\(\s*false"
    ),
    "ruby": (
        r"^\s*(?:skip|pending|omit|pend)(?:\s*\(?\s*''.*|\s*\(\s*\)|\s*)$|^\s*[xf](?:it|describe|context|specify|example|feature|scenario)\b"
        r"|^\s*(?:it|describe|context|specify|example|test)\b.*(?::(?:skip|pending|focus)\b(?!\s*=>\s*false)|\b(?:skip|pending|focus):(?!\s*(?:false|nil)))"
        r"|^\s*raise\s+(?:\w+::)*Skip\b|^\s*(?:it|specify|example)\s*\(?\s*''\s*\)?\s*$"
    ),
    "php": (
        r"\bmarkTest(?:Skipped|Incomplete)\(|\)\s*->(?:skip|todo|only)\(\s*(?:''|\))|^\s*->(?:skip|todo|only)\(\s*(?:''|\))"
        r"|^\s*(?:todo|xit)\(|\bthrow\s+new\s+\\?(?:\w+\\)*Skipped\w*\("
    ),
    "c": (
        r"\bGTEST_SKIP\(|\bTEST(?:_F|_P)?\(\s*\w+\s*,\s*DISABLED_|\bdoctest::(?:skip|may_fail|should_fail)\("
        r"|\bunit_test::disabled\(|^\s*(?:SKIP|TEST_IGNORE|TEST_IGNORE_MESSAGE|QSKIP|CTEST_SKIP)\(|\bmunit_skip|^\s*ck_skip"
    ),
    "swift": (
        r"\bthrow\s+XCTSkip\b|\bXCTSkip(?:If\(\s*true|Unless\(\s*false)\b|@(?:Test|Suite)\(.*\.disabled\(\s*(?:''|\))"
        r"|\bwithKnownIssue\b|\bXCTExpectFailure\b"
    ),
    "dart": (
        r"@Skip\(|\b(?:test|testWidgets|group)\(.*\bskip\s*:\s*(?:true\b|'')"
        r"|^\s*[,)}\s]*skip\s*:\s*(?:true\b|'')|\bmarkTestSkipped\("
    ),
    "elixir": r"\bmax_runs:\s*0\b|@(?:module|describe)?tag\s+(?:\(?\s*:skip\b|:skip\b|skip:(?!\s*(?:false|nil)))",
    "zig": r"\breturn\s+error\.SkipZigTest\b",
    "haskell": r"^\s*(?:xit|xdescribe|xspecify|xcontext|fit|fdescribe|pending|pendingWith)\b",
    "shell": r"^\s*skip\b(?!\w|=)",
}  # fmt: skip
"""What switches tests off wherever it is reached."""
SOMETIMES = {
    "python": r"\bimportorskip\(|\bmark\.(?:skipif|xfail)\b|[sS]kip(?:If|Unless)\b",
    "javascript": rf"\b{_JS}(?:\.\w+)*\.(?:skip|only|runIf|skipIf|if)\b"
        rf"|(?:\b{_JS}\([^,(){{}}]*,|^\s*\}}\s*,)\s*\{{[^{{}}]*\b(?:skip|todo|fails|only|ignore)['\"]?\s*:\s*(?!false)\S",
    "rust": r"\bcfg_attr\(.*\bignore\b",
    "jvm": r"\babstract\s+class\b|@(?:\w+\.)*(?:Disabled?|Enabled|Ignore|PendingFeature|Requires)(?=[A-Z(])"
    r"|@(?:\w+\.)*(?:SdkSuppress|IfProfileValue|TestAbortedIf)\b|\bdisabledWithoutDocker\s*=\s*true"
    r"|\benabled(?:If|OrReasonIf)?\s*=(?!=|\s*true\b)|\bassum(?:e|ing)(?:True|False|That|NoException)\(",
    "dotnet": r"\bSkip\.(?:If|IfNot|Unless)\(|\bAssume\.That\(|\bSkip(?:When|Unless)\s*="
    r"|\[<?(?:[\w()., '=]+[,;]\s*)?(?:\w+\.)*(?:Platform|NetPlatform|UnmanagedPlatform|Culture|OSCondition|CICondition"
    r"|RunOn|ExcludeOn|ConditionalFact|ConditionalTheory|PlatformSpecific|Skip(?:OnPlatform|If|When|Unless)\w*)"
    r"(?:Attribute)?\s*\(",
    "ruby": r"^\s*(?:skip|pending|omit\w*)\b.*\b(?:if|unless)\b|\b(?:it|describe|context)\b.*\b(?:if|unless):",
    "php": r"->skip\w*\(|@requires\b|#\[(?:[^\]]*,\s*)?\\?(?:\w+\\)*Requires",
    "swift": r"\bXCTSkip(?:If|Unless)\(|\.(?:enabled|disabled)\(\s*if:",
    "dart": r"\bskip\s*:\s*(?!false)\S|@(?:TestOn|OnPlatform)\(",
}  # fmt: skip
"""What switches tests off where something holds."""
NEVER = {
    "python": (
        r"^\s*(?:if|elif|while)\s*\(?\s*(?:False|0|None|''|\[\s*\]|\(\s*\)|\{\s*\}|not\s+(?:True|1)"
        r"|(?:typing\.)?TYPE_CHECKING)\s*\)?\s*(?:and\b.*)?:|^\s*for\s+\w+\s+in\s*(?:\[\s*\]|\(\s*\)|range\(\s*0\s*\))\s*:"
    ),
    "ruby": r"^\s*(?:if|while)\s+(?:false|nil)\b|^\s*(?:unless|until)\s+true\b|^=begin\b",
    "haskell": r"^\s*\{-(?!.*-\})",
    _EVERY: (
        r"^\s*(?:\}\s*else\s+)?(?:if|while)\s*\(?\s*(?:false|0|null|undefined|nil|''|!\s*(?:true|1))\s*(?:&&[^{]*)?\)?\s*(?:\{|then\b|do\b|$)"
        r"|^\s*#\s*if\s+(?:0|false|FALSE|NEVER)\b|^\s*/\*(?!.*\*/)"
    ),
}  # fmt: skip
"""Lines that begin what never runs."""
WRAPS = {
    "javascript": (
        r"^\s*(?:async\s+)?function\s+(\w+)\s*\("
        r"|^\s*(?:const|let|var)\s+(\w+)\s*=\s*(?:async\s*)?(?:function\b|\([^()]*\)\s*=>)"
    ),
    "rust": r"^\s*macro_rules!\s*(\w+)",
    "ruby": r"^\s*def\s+(?!test)(\w+)",
    "dart": r"^\s*(?:void\s+)?(?!main\b)(\w+)\(\)\s*(?:async\s*)?\{",
}  # fmt: skip
"""Lines that begin what runs only where its name stands."""
OPTION = re.compile(
    r"^\s*['\"]?(?:skip|todo|ignore|fails|only)['\"]?\s*:\s*(?!false|undefined|null)(?P<always>true\b|1\b|'')?"
)
"""An option of a test on a line of its own."""
EXITS = re.compile(
    r"^\s*(?:(?:if|when)\b(?P<condition>.*[\s):{]))?(?:return(?:@\w+)?|next|break)"
    r"(?:\s+(?:None|null|undefined|nil|[tT]rue|[fF]alse|\d+|Ok\(\(\)\)|\(\)|''|Promise\.resolve\(\)))?"
    r"\s*;?[\s}]*(?:(?:#|//).*)?$"
)
"""A line that ends a test without a result, maybe where a condition holds."""
_ATTRIBUTES = {
    "jvm": r"@(?:org\.[\w.]+\.)?(?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate|Property)\b(?!\w)",
    "dotnet": r"\[(?:[\w()., '=]+,\s*)?(?:Fact|Theory|Test|TestCase|TestMethod|DataTestMethod)\b(?!\w)",
    "swift": r"@Test\b",
    "php": r"#\[Test\b|\*\s*@test\b",
    "rust": r"#\[(?:\w+::)*test\b|#\[(?:rstest|test_case|quickcheck|proptest)\b",
}
ATTRIBUTE = {language: re.compile(pattern) for language, pattern in _ATTRIBUTES.items()}
"""What makes a test of the function behind it."""


class Words(NamedTuple):
    """The patterns of one language."""

    always: re.Pattern[str]
    sometimes: re.Pattern[str]
    never: re.Pattern[str]
    wraps: re.Pattern[str]


_made: dict[str, Words] = {}


def language_of(path: str) -> str:
    """Return the language of a file, by its ending; "" of another file."""
    return _OF.get(path.rpartition("/")[2].rpartition(".")[2], "")


def words_of(path: str) -> Words:
    """Return the patterns of the language of a file; those of all languages of another file."""
    language = language_of(path)
    if language not in _made:
        _made[language] = Words(*(_pattern(rows, language) for rows in (ALWAYS, SOMETIMES, NEVER, WRAPS)))
    return _made[language]


def _pattern(rows: dict[str, str], language: str) -> re.Pattern[str]:
    chosen = [row for name, row in rows.items() if not language or name in (language, _EVERY)]
    return re.compile("|".join(f"(?:{row})" for row in chosen) or r"(?!)")

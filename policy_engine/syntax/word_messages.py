"""Diagnostics of misspelt strings, numbers, signs and words; each docstring is its manual page."""

from __future__ import annotations

from policy_engine.model.diagnostic import Diagnostic
from policy_engine.model.source import Source, Span
from policy_engine.syntax.diagnostic_builder import character_name, error, quoted

LARGEST = 10**15
"""Numbers and durations stay below it, so that milliseconds and counts fit everywhere they are stored."""


def unterminated_string(source: Source, span: Span) -> Diagnostic:
    r"""PE110: string without an end

    A string ends on the line on which it begins.

    ```policy
    language 1
    rule ask-first "Ask" { on before_completion deny "Ask first. }
    ```

    Repaired:

    ```policy
    language 1
    rule ask-first "Ask" { on before_completion deny "Ask first." }
    ```
    """
    return error("PE110", source, span, "this string has no end", 'close it with `"`; a line break is written `\\n`')


def wrong_quotes(source: Source, span: Span) -> Diagnostic:
    """PE111: string in the wrong quotes

    Strings stand in straight double quotes, and in nothing else.

    ```policy
    language 1
    rule ask-first "Ask" { on before_completion deny 'Ask first.' }
    ```

    Repaired:

    ```policy
    language 1
    rule ask-first "Ask" { on before_completion deny "Ask first." }
    ```
    """
    text = source.excerpt(span)
    return error("PE111", source, span, f"{quoted(text)} is not a string", f'write `"{text[1:-1]}"`')


def bad_escape(source: Source, span: Span) -> Diagnostic:
    r"""PE112: unknown escape in a string

    The escapes are `\"`, `\\`, `\n`, `\t`, `\{` and `\}`.

    ```policy
    language 1
    define digits = "\d"
    ```

    Repaired:

    ```policy
    language 1
    define digits = "\\d"
    ```
    """
    text = source.excerpt(span)
    advice = f'write `\\{text}` for a backslash; the escapes are `\\"`, `\\\\`, `\\n`, `\\t`, `\\{{` and `\\}}`'
    return error("PE112", source, span, f"unknown escape {quoted(text)}", advice)


def wrong_sign(source: Source, span: Span, meant: str) -> Diagnostic:
    """PE113: sign of another language

    Conditions are joined with words: `and`, `or`, `not`. Comparisons are `==`, `!=`, `<`, `<=`, `>`, `>=`. Clauses
    need no separator.

    ```policy
    language 1
    rule small "Small" { on before_completion when diff.files > 9 && diff.lines > 99 deny "Too much." }
    ```

    Repaired:

    ```policy
    language 1
    rule small "Small" { on before_completion when diff.files > 9 and diff.lines > 99 deny "Too much." }
    ```
    """
    advice = f"write `{meant}`" if meant else "delete it: clauses end where the next begins"
    return error("PE113", source, span, f"{quoted(source.excerpt(span))} is not a sign of this language", advice)


def odd_word(source: Source, span: Span, meant: str, advice: str = "") -> Diagnostic:
    """PE114: word that is not in lower-case ASCII

    Names and keywords consist of `a`-`z`, `0`-`9`, `_` and `-`, and begin with a letter. Letters of other scripts that
    look like these, and characters of no width inside a word, are refused because nobody could see the difference.

    ```policy
    language 1
    rule Ask-First "Ask" { on before_completion deny "Ask first." }
    ```

    Repaired:

    ```policy
    language 1
    rule ask-first "Ask" { on before_completion deny "Ask first." }
    ```
    """
    text = source.excerpt(span)
    strange = next((char for char in text if not char.isascii()), "")
    if strange:
        return error("PE114", source, span, f"{quoted(text)} contains `{character_name(strange)}`", "use a-z only")
    if text.startswith("_"):
        return error("PE114", source, span, f"{quoted(text)} does not begin with a letter", f"write `{meant}`")
    return error("PE114", source, span, f"{quoted(text)} is not in lower case", advice or f"write `{meant}`")


def malformed_number(source: Source, span: Span) -> Diagnostic:
    """PE115: malformed number

    Numbers are whole numbers such as `10` or `-1`; durations have one of the units `ms`, `s`, `m`, `h`, `d`; dates are
    written `2026-12-31`.

    ```policy
    language 1
    rule slow "Slow" { on before_tool(shell) timeout 1.5s }
    ```

    Repaired:

    ```policy
    language 1
    rule slow "Slow" { on before_tool(shell) timeout 1500ms }
    ```
    """
    text = source.excerpt(span)
    advice = "write a whole number, a duration such as `10m`, or a date such as `2026-12-31`"
    plain = text.replace("_", "")
    units = {"sec": "s", "secs": "s", "min": "m", "mins": "m", "hr": "h", "hrs": "h", "day": "d", "days": "d"}
    unit = plain.lstrip("-0123456789")
    if plain != text and not unit:
        advice = f"write `{plain}`"
    elif unit in units:
        advice = f"write `{plain[: -len(unit)]}{units[unit]}`"
    elif "." in text:
        advice = "there are no fractions; use a smaller unit, such as `1500ms`"
    return error("PE115", source, span, f"malformed number {quoted(text)}", advice)


def number_too_large(source: Source, span: Span) -> Diagnostic:
    """PE116: number too large

    Numbers, and durations in milliseconds, stay below 10^15.

    ```policy
    language 1
    rule big "Big" { on before_completion when diff.lines > 9999999999999999 deny "Split it." }
    ```

    Repaired:

    ```policy
    language 1
    rule big "Big" { on before_completion when diff.lines > 9999 deny "Split it." }
    ```
    """
    return error("PE116", source, span, f"{quoted(source.excerpt(span))} is too large", "stay below 10^15")


def unterminated_regex(source: Source, span: Span) -> Diagnostic:
    r"""PE117: regular expression without an end

    A regular expression stands between slashes on one line; a slash inside is written `\/`. There is no division.

    ```policy
    language 1
    rule wip "No WIP" { on before_completion when answer matches /WIP deny "Finish it." }
    ```

    Repaired:

    ```policy
    language 1
    rule wip "No WIP" { on before_completion when answer matches /WIP/ deny "Finish it." }
    ```
    """
    return error("PE117", source, span, "this regular expression has no end", "close it with `/`")


def unknown_flag(source: Source, span: Span) -> Diagnostic:
    """PE118: unknown flag of a regular expression

    The only flag is `i`, which ignores case. A path is written as a string, not between slashes.

    ```policy
    language 1
    rule wip "No WIP" { on before_completion when answer matches /wip/gi deny "Finish it." }
    ```

    Repaired:

    ```policy
    language 1
    rule wip "No WIP" { on before_completion when answer matches /wip/i deny "Finish it." }
    ```
    """
    advice = "the only flag is `i`; a path is a string in double quotes"
    return error("PE118", source, span, f"unknown flag {quoted(source.excerpt(span))}", advice)


def wrong_comment(source: Source, span: Span) -> Diagnostic:
    """PE119: comment of another language

    Comments run from `#` to the end of the line.

    ```policy
    language 1
    // nothing yet
    ```

    Repaired:

    ```policy
    language 1
    # nothing yet
    ```
    """
    return error("PE119", source, span, f"{quoted(source.excerpt(span)[:2])} begins no comment", "write `#`")

"""Diagnostics of a text: its characters, words, grammar and form; diagnostics.md holds the manual page of each code."""

from __future__ import annotations

from collections.abc import Iterable

from policy_engine.model.diagnostic import Diagnostic, Related
from policy_engine.model.limits import POLICY_DEPTH, POLICY_FILE_BYTES
from policy_engine.model.source import Source, Span
from policy_engine.syntax.diagnostic_builder import character_name, error, listing, quoted


def not_utf8(source: Source, span: Span, byte: int) -> Diagnostic:
    return error("PE101", source, span, f"byte 0x{byte:02X} is not UTF-8", "save the file as UTF-8")


def file_too_large(source: Source, size: int) -> Diagnostic:
    message = f"the file has {size} bytes, more than POLICY_FILE_BYTES = {POLICY_FILE_BYTES}"
    return error("PE102", source, Span(0, 0), message, "split the policy into several files")


def byte_order_mark(source: Source, span: Span) -> Diagnostic:
    return error("PE103", source, span, "byte order mark U+FEFF inside the file", "delete this invisible character")


def line_end(source: Source, span: Span) -> Diagnostic:
    name = character_name(source.excerpt(span))
    return error("PE104", source, span, f"line end `{name}`", "end lines with LF or CRLF")


def control_character(source: Source, span: Span) -> Diagnostic:
    return error("PE105", source, span, f"control character `{character_name(source.excerpt(span))}`", "delete it")


def direction_mark(source: Source, span: Span) -> Diagnostic:
    name = character_name(source.excerpt(span))
    return error("PE106", source, span, f"bidirectional control `{name}`", "delete this invisible character")


def not_normalised(source: Source, span: Span) -> Diagnostic:
    import unicodedata

    shown = source.excerpt(span)
    composed = unicodedata.normalize("NFC", shown)
    points = " ".join(f"U+{ord(char):04X}" for char in composed)
    message = f"{quoted(shown)} is not in Unicode normal form C"
    return error("PE107", source, span, message, f"write the composed form {points}")


def odd_space(source: Source, span: Span) -> Diagnostic:
    char = source.excerpt(span)[0]
    count = span.end - span.start
    message = f"`{character_name(char)}`" + (f" and {count - 1} more" if count > 1 else "") + " between words"
    return error("PE108", source, span, message, "write a space" if char.isspace() else "delete it")


def odd_character(source: Source, span: Span) -> Diagnostic:
    char = source.excerpt(span)
    advice = {
        "*": "there is no arithmetic; globs are written in strings",
        "+": "there is no arithmetic",
        "-": "there is no arithmetic",
        "%": "there is no arithmetic",
        "$": "environment variables are not available in policies",
        "\\": "a statement may go on in the next line without a sign",
        "?": "write `any`, `every` or `has`",
    }.get(char, "delete it")
    shown = quoted(char) if ord(char) < 128 else f"`{char}` ({character_name(char)})"
    return error("PE109", source, span, f"{shown} has no meaning here", advice)


LARGEST = 10**15
"""Numbers and durations stay below it, so that milliseconds and counts fit everywhere they are stored."""


def unterminated_string(source: Source, span: Span) -> Diagnostic:
    return error("PE110", source, span, "this string has no end", 'close it with `"`; a line break is written `\\n`')


def wrong_quotes(source: Source, span: Span) -> Diagnostic:
    text = source.excerpt(span)
    return error("PE111", source, span, f"{quoted(text)} is not a string", f'write `"{text[1:-1]}"`')


def bad_escape(source: Source, span: Span) -> Diagnostic:
    text = source.excerpt(span)
    advice = f'write `\\{text}` for a backslash; the escapes are `\\"`, `\\\\`, `\\n`, `\\t`, `\\{{` and `\\}}`'
    return error("PE112", source, span, f"unknown escape {quoted(text)}", advice)


def wrong_sign(source: Source, span: Span, meant: str) -> Diagnostic:
    advice = f"write `{meant}`" if meant else "delete it: clauses end where the next begins"
    return error("PE113", source, span, f"{quoted(source.excerpt(span))} is not a sign of this language", advice)


def odd_word(source: Source, span: Span, meant: str, advice: str = "") -> Diagnostic:
    text = source.excerpt(span)
    strange = next((char for char in text if not char.isascii()), "")
    if strange:
        return error("PE114", source, span, f"{quoted(text)} contains `{character_name(strange)}`", "use a-z only")
    if text.startswith("_"):
        return error("PE114", source, span, f"{quoted(text)} does not begin with a letter", f"write `{meant}`")
    return error("PE114", source, span, f"{quoted(text)} is not in lower case", advice or f"write `{meant}`")


def malformed_number(source: Source, span: Span) -> Diagnostic:
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
    return error("PE116", source, span, f"{quoted(source.excerpt(span))} is too large", "stay below 10^15")


def unterminated_regex(source: Source, span: Span) -> Diagnostic:
    return error("PE117", source, span, "this regular expression has no end", "close it with `/`")


def unknown_flag(source: Source, span: Span) -> Diagnostic:
    advice = "the only flag is `i`; a path is a string in double quotes"
    return error("PE118", source, span, f"unknown flag {quoted(source.excerpt(span))}", advice)


def wrong_comment(source: Source, span: Span) -> Diagnostic:
    return error("PE119", source, span, f"{quoted(source.excerpt(span)[:2])} begins no comment", "write `#`")


def unexpected(source: Source, span: Span, expected: Iterable[str], advice: str = "") -> Diagnostic:
    advice = advice or f"expected {listing(expected)}"
    return error("PE120", source, span, f"unexpected {quoted(source.excerpt(span))}", advice)


def unknown_word(source: Source, span: Span, meant: str) -> Diagnostic:
    return error("PE121", source, span, f"unknown word {quoted(source.excerpt(span))}", f"did you mean `{meant}`?")


def missing(source: Source, span: Span, what: str, before: str, advice: str = "") -> Diagnostic:
    message = f"missing {what} before {before}" if before else f"missing {what}"
    return error("PE122", source, span, message, advice or f"write {what} here")


def unclosed(source: Source, span: Span, closer: str, opening: Span) -> Diagnostic:
    line, column = source.position(opening.start)
    opener = source.excerpt(opening)
    related = (Related(f"`{opener}` is opened here", source, opening),)
    advice = f"`{opener}` at {line}:{column} is never closed"
    return error("PE123", source, span, f"missing `{closer}`", advice, related)


def stray_closer(source: Source, span: Span) -> Diagnostic:
    return error("PE124", source, span, f"{quoted(source.excerpt(span))} closes nothing", "delete it")


def misplaced_clause(source: Source, span: Span, block: str, allowed: Iterable[str]) -> Diagnostic:
    word = quoted(source.excerpt(span))
    if not block:
        return error("PE125", source, span, f"{word} stands outside of an item", "put it into a `rule name { … }`")
    advice = f"a `{block}` has {listing(f'`{word}`' for word in allowed)}"
    return error("PE125", source, span, f"{word} does not belong in a `{block}`", advice)


def chained_comparison(source: Source, span: Span) -> Diagnostic:
    advice = "write two comparisons joined with `and`"
    return error("PE126", source, span, f"{quoted(source.excerpt(span))} cannot follow a comparison", advice)


def reserved_word(source: Source, span: Span) -> Diagnostic:
    text = source.excerpt(span)
    advice = f"choose another name, such as `the_{text}`"
    return error("PE127", source, span, f"{quoted(text)} is a reserved word", advice)


def missing_expression(source: Source, span: Span, after: str) -> Diagnostic:
    advice = f"write a condition or a value after `{after}`"
    return error("PE128", source, span, f"`{after}` is not followed by an expression", advice)


def wrong_equals(source: Source, span: Span, meant: str) -> Diagnostic:
    meaning = "compares two values" if meant == "==" else "gives a value to a name"
    return error("PE129", source, span, f"{quoted(source.excerpt(span))} stands for `{meant}`", f"`{meant}` {meaning}")


def unexpected_end(source: Source, span: Span, expected: Iterable[str]) -> Diagnostic:
    return error("PE130", source, span, "the file ends in the middle of a clause", f"expected {listing(expected)}")


def too_many(source: Source, span: Span, limit: int) -> Diagnostic:
    message = f"further problems are not shown (POLICY_DIAGNOSTICS = {limit})"
    return error("PE131", source, span, message, "begin with the first problem")


def not_callable(source: Source, span: Span) -> Diagnostic:
    message = f"{quoted(source.excerpt(span))} cannot be called"
    return error("PE140", source, span, message, "call a predicate by its name")


def key_not_string(source: Source, span: Span) -> Diagnostic:
    message = f"the key {quoted(source.excerpt(span))} is not a string"
    return error("PE141", source, span, message, "write the key as a string, or use `any x in … { … }` on a list")


def too_deep(source: Source, span: Span) -> Diagnostic:
    message = f"nested more than POLICY_DEPTH = {POLICY_DEPTH} deep"
    return error("PE142", source, span, message, "give a name to a part with `define`")


def language_missing(source: Source, span: Span) -> Diagnostic:
    advice = "write `language 1` as the first line"
    message = "the file does not say which language it is written in"
    return Diagnostic(
        "PE143", "warning", message, source, span, advice, fix="language 1\n\n" + source.text[span.start : span.end]
    )


def language_unknown(source: Source, span: Span, wanted: int) -> Diagnostic:
    advice = f"this engine reads language 1; the file needs language {wanted}: upgrade the engine"
    return error("PE144", source, span, f"the file needs language {wanted}", advice)


def language_not_first(source: Source, span: Span) -> Diagnostic:
    return error("PE145", source, span, "`language` stands once, before everything else", "move it to the first line")


def repeated_clause(source: Source, span: Span, word: str, first: Span) -> Diagnostic:
    line, _ = source.position(first.start)
    related = (Related(f"`{word}` stands here first", source, first),)
    return error("PE146", source, span, f"`{word}` is given twice", f"delete one; the first is at line {line}", related)


def no_such_date(source: Source, span: Span, advice: str = "write year-month-day") -> Diagnostic:
    return error("PE147", source, span, f"{quoted(source.excerpt(span))} is not a date", advice)


def unclosed_hole(source: Source, span: Span) -> Diagnostic:
    advice = 'close it with `}`, or write `\\{`; what holds quotes gets a name first: `define url = tool.args["url"]`'
    return error("PE148", source, span, "`{` is not closed in this message", advice)


def unopened_hole(source: Source, span: Span) -> Diagnostic:
    return error("PE149", source, span, "`}` closes nothing in this message", "write `\\}`")


def empty_hole(source: Source, span: Span) -> Diagnostic:
    return error("PE150", source, span, "this interpolation is empty", "write an expression, or `\\{\\}`")


def string_in_hole(source: Source, span: Span) -> Diagnostic:
    advice = "give the value a name with `define`"
    return error("PE151", source, span, "an interpolation holds no string literals", advice)


def malformed_json(source: Source, span: Span, where: str, wanted: str) -> Diagnostic:
    return error("PE152", source, span, f"{quoted(where)} is not as it must be", f"it must be {wanted}")

"""Diagnostics of bytes and characters that no policy may contain. Each docstring is the manual page of its code."""

from __future__ import annotations

from policy_engine.model.diagnostic import Diagnostic
from policy_engine.model.limits import POLICY_FILE_BYTES
from policy_engine.model.source import Source, Span
from policy_engine.syntax.diagnostic_builder import character_name, error, quoted


def not_utf8(source: Source, span: Span, byte: int) -> Diagnostic:
    """PE101: not UTF-8

    A policy file is UTF-8 text. Another encoding could show one policy to the reviewer and another to the engine, so
    nothing is guessed. The place is the first byte that is not UTF-8.

    Repair: save the file as UTF-8, for example with `iconv -f latin1 -t utf-8`.
    """
    return error("PE101", source, span, f"byte 0x{byte:02X} is not UTF-8", "save the file as UTF-8")


def file_too_large(source: Source, size: int) -> Diagnostic:
    """PE102: file too large

    One policy file holds at most POLICY_FILE_BYTES, so that no file can stall the engine.

    Repair: split the policy into several files and `import` them.
    """
    message = f"the file has {size} bytes, more than POLICY_FILE_BYTES = {POLICY_FILE_BYTES}"
    return error("PE102", source, Span(0, 0), message, "split the policy into several files")


def byte_order_mark(source: Source, span: Span) -> Diagnostic:
    """PE103: byte order mark inside the file

    U+FEFF is accepted as the first character of a file, where some editors put it, and nowhere else: it cannot be
    seen, and mostly shows that two files were joined.

    Repair: delete the character.
    """
    return error("PE103", source, span, "byte order mark U+FEFF inside the file", "delete this invisible character")


def line_end(source: Source, span: Span) -> Diagnostic:
    """PE104: line end other than LF or CRLF

    Lines end with LF or CRLF. A lone carriage return, NEL, or a Unicode line or paragraph separator would end a line
    in some editors and not in others: a reviewer could take for a comment what the engine reads as a rule.

    Repair: convert the file to LF line ends.
    """
    name = character_name(source.excerpt(span))
    return error("PE104", source, span, f"line end `{name}`", "end lines with LF or CRLF")


def control_character(source: Source, span: Span) -> Diagnostic:
    """PE105: control character

    Control characters cannot be seen and change what a terminal shows. They are allowed nowhere in a policy, not even
    in strings and comments.

    Repair: delete the character.
    """
    return error("PE105", source, span, f"control character `{character_name(source.excerpt(span))}`", "delete it")


def direction_mark(source: Source, span: Span) -> Diagnostic:
    """PE106: bidirectional control

    Characters that change the writing direction can make a policy look different from what it says ("Trojan Source").
    They are allowed nowhere, not even in strings and comments.

    Repair: delete the character. Text in right-to-left scripts needs none inside a string.
    """
    name = character_name(source.excerpt(span))
    return error("PE106", source, span, f"bidirectional control `{name}`", "delete this invisible character")


def not_normalised(source: Source, span: Span) -> Diagnostic:
    """PE107: text not in Unicode normal form C

    The same letter can be written as one character or as a letter and an accent. The two look alike and compare
    unequal, so a policy uses the composed form only.

    Repair: write the composed form, for example with `uconv -x any-nfc`.
    """
    import unicodedata

    shown = source.excerpt(span)
    composed = unicodedata.normalize("NFC", shown)
    points = " ".join(f"U+{ord(char):04X}" for char in composed)
    message = f"{quoted(shown)} is not in Unicode normal form C"
    return error("PE107", source, span, message, f"write the composed form {points}")


def odd_space(source: Source, span: Span) -> Diagnostic:
    """PE108: white space other than space and line end

    Between words stand spaces and line ends. Tabs, no-break spaces and characters of no width look like them, or like
    nothing, and come from copied text. They are allowed inside strings and comments.

    Repair: write a space, or delete the character. `policy fmt` indents with two spaces.
    """
    char = source.excerpt(span)[0]
    count = span.end - span.start
    message = f"`{character_name(char)}`" + (f" and {count - 1} more" if count > 1 else "") + " between words"
    return error("PE108", source, span, message, "write a space" if char.isspace() else "delete it")


def odd_character(source: Source, span: Span) -> Diagnostic:
    """PE109: character without a meaning

    The character has no meaning outside of strings and comments.

    ```policy
    language 1
    rule small "Small changes" { on before_completion when diff.lines > 100 @ deny "Too many lines." }
    ```

    Repaired:

    ```policy
    language 1
    rule small "Small changes" { on before_completion when diff.lines > 100 deny "Too many lines." }
    ```
    """
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

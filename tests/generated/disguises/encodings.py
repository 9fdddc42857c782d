"""Lines that a decoder gives back, or that are put together from pieces of text."""

from __future__ import annotations

import base64
import codecs
import gzip
import shlex
from random import Random

from tests.generated.disguises.base import Disguise, Line, Place

_RUNS = (
    "{} | bash",
    "{} | sh",
    'bash -c "$({})"',
    'eval "$({})"',
    "bash <({})",
    "source <({})",
    'x="$({})"; eval "$x"',
    "bash < <({})",
    'bash <<< "$({})"',
    "{} | xargs -0 bash -c",
    "{} | tee /dev/null | bash",
    "({}) | bash",
    "{} > d; bash d",
    "{} > d && . ./d",
    "{} | env bash",
    "{} | tee d >/dev/null; bash d",
)


def _run(producer: str, rng: Random) -> Line:
    return Line(rng.choice(_RUNS).replace("{}", producer))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def base_64(line: Line, rng: Random, place: Place) -> Line | None:
    code = base64.b64encode(_bytes(line.text)).decode()
    tool = rng.choice(
        (
            "base64 -d",
            "base64 --decode",
            "base64 -di",
            "openssl base64 -d -A",
            "python3 -m base64 -d -",
            "base64 -w0 -d",
            "perl -MMIME::Base64 -e 'print decode_base64(<>)'",
            "base64 --dec",
        )
    )
    return _run(rng.choice((f"echo {code} | {tool}", f"{tool} <<< {code}", f"printf %s {code} | {tool}")), rng)


def hexadecimal(line: Line, rng: Random, place: Place) -> Line | None:
    code = _bytes(line.text).hex()
    return _run(
        rng.choice(
            (
                f"echo {code} | xxd -r -p",
                f"xxd -r -p <<< {code}",
                f'perl -e \'print pack("H*","{code}")\'',
                f"python3 -c 'print(bytes.fromhex(\"{code}\").decode())'",
                f"echo {code} | xxd -p -r",
            )
        ),
        rng,
    )


def escapes(line: Line, rng: Random, place: Place) -> Line | None:
    code = "".join(f"\\x{byte:02x}" for byte in _bytes(line.text))
    octal = "".join(f"\\{byte:03o}" for byte in _bytes(line.text))
    zero = "".join(f"\\0{byte:03o}" for byte in _bytes(line.text))
    return _run(
        rng.choice(
            (
                f"printf '{code}'",
                f"echo -e '{code}'",
                f"printf '{octal}'",
                f"printf '%b' '{code}'",
                f"echo -ne '{zero}'",
                f"printf $'{code}'" if "%" not in line.text and "\\" not in line.text else f"printf '{code}'",
            )
        ),
        rng,
    )


def reversed_text(line: Line, rng: Random, place: Place) -> Line | None:
    if "\n" in line.text or not line.text.isascii():
        return None
    code = shlex.quote(line.text[::-1])
    return (
        _run(rng.choice((f"echo {code} | rev", f"rev <<< {code}", f"printf '%s\\n' {code} | rev")), rng)
        if "\\" not in code
        else None
    )


def rotated(line: Line, rng: Random, place: Place) -> Line | None:
    if "\\" in line.text:
        return None
    code = shlex.quote(codecs.encode(line.text, "rot13"))
    return _run(rng.choice((f"echo {code} | tr A-Za-z N-ZA-Mn-za-m", f"tr 'a-zA-Z' 'n-za-mN-ZA-M' <<< {code}")), rng)


def replaced(line: Line, rng: Random, place: Place) -> Line | None:
    if "\\" in line.text or "@" in line.text or "\n" in line.text:
        return None
    cut = rng.randrange(len(line.text))
    code = shlex.quote(line.text[:cut] + "@" + line.text[cut:])
    low = shlex.quote(line.text.lower().upper())
    forms = [
        f"echo {code} | tr -d @",
        f"echo {code} | sed s/@//",
        f"sed s/@//g <<< {code}",
        f"echo {code} | awk '{{sub(/@/,\"\");print}}'",
        f"echo {shlex.quote('x ' + line.text)} | cut -c3-",
        f"echo {shlex.quote('x ' + line.text)} | cut -d' ' -f2-",
        f"printf '%s\\n' a {shlex.quote(line.text)} | tail -1",
        f"printf '%s\\n' {shlex.quote(line.text)} a | head -1",
        f"echo {shlex.quote(line.text)} | grep .",
        f"echo {shlex.quote(line.text)} | sort",
        f"echo {code} | perl -pe s/@//",
    ]
    if line.text == line.text.lower() and line.text.isascii():
        forms.append(f"echo {low} | tr A-Z a-z")
    return _run(rng.choice(forms), rng)


def zipped(line: Line, rng: Random, place: Place) -> Line | None:
    code = base64.b64encode(gzip.compress(_bytes(line.text), mtime=0)).decode()
    return _run(f"echo {code} | base64 -d | {rng.choice(('gunzip', 'gzip -dc', 'zcat', 'gunzip -c'))}", rng)


def word(line: Line, rng: Random, place: Place) -> Line | None:
    """One word out of a decoder."""
    if line.argv is None:
        return None
    number = 0 if rng.random() < 0.5 else rng.randrange(len(line.argv))
    it = line.argv[number]
    code = base64.b64encode(_bytes(it)).decode()
    made = rng.choice(
        (
            f"$(echo {code} | base64 -d)",
            f'"$(base64 -d <<< {code})"',
            f"$(printf '{''.join(f'{chr(92)}x{b:02x}' for b in _bytes(it))}')",
            f"$(echo {it[::-1]} | rev)" if it.isalnum() else f'"$(echo {code} | base64 -d)"',
            f"`echo {code} | base64 -d`",
        )
    )
    if " " in it and made[0] != '"':
        return None
    words = [shlex.quote(other) for other in line.argv]
    words[number] = made
    return Line(" ".join(words))


DISGUISES: dict[str, Disguise] = {
    form.__name__: form for form in (base_64, hexadecimal, escapes, reversed_text, rotated, replaced, zipped, word)
}

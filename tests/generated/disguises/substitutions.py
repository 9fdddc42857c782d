"""Places in which the shell runs what is substituted there."""

from __future__ import annotations

import shlex
from random import Random

from tests.generated.disguises.base import Disguise, Line, Place, one_line


def _dollar(text: str, rng: Random) -> str:
    """`$(…)` or backticks."""
    if rng.random() < 0.25 and "\\" not in text and '"' not in text and one_line(text):
        return "`" + text.replace("`", "\\`") + "`" if "`" not in text else f"$({text})"
    return f"$({text})" if one_line(text) and text[:1] != "(" else f"$( {text}\n)"


def word(line: Line, rng: Random, place: Place) -> Line | None:
    it = _dollar(line.text, rng)
    forms = (
        f"echo {it}",
        f'echo "{it}"',
        f'echo "a{it}b"',
        f": {it}",
        f'true "{it}"',
        f"x={it}",
        f'x="{it}" true',
        f"export x={it}",
        f"declare x={it}",
        f"readonly zz={it}",
        f"x=({it})",
        f"x[0]={it}",
        f"x+={it}",
        f"echo a{it}",
        f"local_=$(: {it})",
        f"echo {{a,{it}}}",
        f"echo {it} | cat",
        f'printf "%s" "{it}"',
        f"for i in {it}; do :; done",
        f"case {it} in *) ;; esac",
        f"case a in {it}) ;; *) ;; esac",
        f"A={it} B=1 true",
        f"ls . {it} >/dev/null",
        f'git log --grep="{it}" >/dev/null 2>&1',
    )
    return Line(rng.choice(forms))


def parameter(line: Line, rng: Random, place: Place) -> Line | None:
    it = _dollar(line.text, rng)
    forms = (
        f"echo ${{none:-{it}}}",
        f'echo "${{none:-{it}}}"',
        f"x=1; echo ${{x:+{it}}}",
        f": ${{none:={it}}}",
        f"x=a; echo ${{x#{it}}}",
        f"x=a; echo ${{x/{it}/b}}",
        f"x=a; echo ${{x//a/{it}}}",
        f"x=a; echo ${{x%%{it}}}",
    )
    return Line(rng.choice(forms))


def test(line: Line, rng: Random, place: Place) -> Line | None:
    it = _dollar(line.text, rng)
    forms = (
        f"[[ -n {it} ]]",
        f'[ -n "{it}" ]',
        f'test -z "{it}"',
        f"[[ a == {it} ]]",
        f"[[ {it} =~ x ]]",
        f"[[ -d . && -n {it} ]]",
        f'if [ -n "{it}" ]; then :; fi',
        f"while [[ {it} == zz ]]; do :; done",
        f'! [[ -f "{it}" ]]',
    )
    return Line(rng.choice(forms))


def arithmetic(line: Line, rng: Random, place: Place) -> Line | None:
    text = line.text + ("\n" if not one_line(line.text) else "; ")
    it = f"$( {{ {text}}} >/dev/null; echo 1)"
    forms = (
        f"echo $(( {it} ))",
        f"(( {it} ))",
        f"echo $((1 + {it}))",
        f"x=$(( {it} ))",
        f"x[{it}]=1",
        f"a[{it}]=1",
        f"let x={it}",
        f"x=abc; echo ${{x:{it}}}",
        f"x=abc; echo ${{x:0:{it}}}",
        f"x=(1 2); echo ${{x[{it}]}}",
        f"for ((i={it}; i<1; i++)); do :; done",
        f"[[ {it} -eq 1 ]]",
        f"declare -i x={it}",
        f"if (( {it} )); then :; fi",
    )
    return Line(rng.choice(forms))


def subscript(line: Line, rng: Random, place: Place) -> Line | None:
    """Text that is only run because arithmetic looks into subscripts."""
    text = line.text + ("\n" if not one_line(line.text) else "; ")
    if "'" in text:
        it = shlex.quote(f"a[$( {{ {text}}} >/dev/null; echo 1)]")
    else:
        it = f"'a[$( {{ {text}}} >/dev/null; echo 1)]'"
    forms = (
        f"x={it}; echo $((x))",
        f"x={it}; ((x))",
        f"let {it}=1",
        f"printf -v {it} x",
        f"read {it} <<< x",
        f"declare -i x={it}",
        f"x={it}; [[ x -eq 1 ]]",
        f"x={it}; a[x]=1",
        f"a=(1 2); unset {it}",
        f"test -v {it}",
        f"[ -v {it} ]",
        f"[[ -v {it} ]]",
        f"x={it}; y=abc; echo ${{y:x}}",
        f"x={it}; echo ${{!x}}",
        f"x={it}; declare -i z=x",
        f"x={it}; for ((i=x;i<1;i++)); do :; done",
        f"x={it}; let y=x",
        f"x={it}; echo ${{a[x]}}",
        f"declare -n r={it}; echo $r",
    )
    form = rng.choice(forms)
    return Line(f"a=(0 1); {form}" if "-v" in form else form)


def prompt(line: Line, rng: Random, place: Place) -> Line | None:
    it = shlex.quote(f"$({line.text}" + ("\n)" if not one_line(line.text) or line.text[:1] == "(" else ")"))
    if line.text[:1] == "(":
        return None
    return Line(rng.choice((f'x={it}; echo "${{x@P}}"', f"PS4={it}; set -x; :", f"x={it}; : ${{x@P}}")))


def body(line: Line, rng: Random, place: Place) -> Line | None:
    """In a here-document, a here-string, or a redirection's target."""
    if "E\n" in line.text or "\nE" in line.text:
        return None
    it = f"$({line.text})" if one_line(line.text) and line.text[:1] != "(" else f"$( {line.text}\n)"
    forms = [
        f"cat <<E\na {it}\nE",
        f"cat <<-E\n\t{it}\n\tE",
        f"cat <<< {it}",
        f'cat <<< "{it}"',
        f'true > "out{it}"',
        f"cat < <(echo {it})",
    ]
    if line.text.count("\n") or set(line.text) & set("\"'\\`"):
        forms = forms[2:]
    return Line(rng.choice(forms))


def process(line: Line, rng: Random, place: Place) -> Line | None:
    inner = line.text if one_line(line.text) and line.text[:1] != "(" else f" {line.text}\n"
    return Line(
        rng.choice(
            (
                f"cat <({inner})",
                f"cat < <({inner})",
                f"echo a > >({inner}); sleep 0.1",
                f"echo a | tee >({inner}) >/dev/null; sleep 0.1",
                f"diff <({inner}) /dev/null",
                f"true <({inner}); sleep 0.1",
                f"exec 3< <({inner}); cat <&3",
                f"while read -r l; do :; done < <({inner})",
            )
        )
    )


DISGUISES: dict[str, Disguise] = {
    form.__name__: form for form in (word, parameter, test, arithmetic, subscript, prompt, body, process)
}

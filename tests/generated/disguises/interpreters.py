"""Code in another language that starts the command."""

from __future__ import annotations

import json
import shlex
from random import Random

from tests.generated.disguises.base import Disguise, Line, Place


def _literal(text: str, rng: Random) -> str:
    """A string literal that Python, JavaScript and Ruby read alike."""
    if rng.random() < 0.3 and "'" not in text and "\\" not in text and "\n" not in text:
        return f"'{text}'"
    return json.dumps(text).replace("#", "\\u0023")


def _given(program: str, option: str, code: str, rng: Random) -> Line:
    """The code as an option's value, on standard input, or through a pipe."""
    quoted = shlex.quote(code)
    forms = [f"{program} {option} {quoted}"] * 4
    forms += [
        f"{program} <<< {quoted}",
        f"printf '%s\\n' {quoted} | {program}",
        f"{program} - <<'E'\n{code}\nE" if program != "node" else f"{program} <<'E'\n{code}\nE",
    ]
    return Line(rng.choice(forms))


def python(line: Line, rng: Random, place: Place) -> Line | None:
    text = _literal(line.text, rng)
    codes = [
        f"import os; os.system({text})",
        f"import os\nos.popen({text}).read()",
        f"from os import system; system({text})",
        f"import os as o; o.system({text})",
        f"import subprocess; subprocess.run({text}, shell=True)",
        f"import subprocess as s; s.call({text}, shell=True)",
        f"import subprocess; subprocess.Popen({text}, shell=True).wait()",
        f"import subprocess; subprocess.check_output({text}, shell=True)",
        f"__import__('os').system({text})",
        f"import os; x={text}; os.system(x)",
        f"import os; f=os.system; f({text})",
        f"import os; getattr(os, 'system')({text})",
        f"exec({_literal(f'import os; os.system({text})', rng)})",
        f"eval({_literal(f'__import__({chr(39)}os{chr(39)}).system({text})', rng)})",
        f"import pty; pty.spawn(['sh','-c',{text}])",
        f"import os; os.execvp('bash', ['bash', '-c', {text}])",
        f"import subprocess; subprocess.run(['bash', '-c', {text}])",
        f"import os\nfor c in [{text}]:\n    os.system(c)",
        f"import os; os.system(''.join([{text}]))",
        f"import os; os.spawnlp(0, 'bash', 'bash', '-c', {text})",
        f"import asyncio as a; a.run(a.create_subprocess_shell({text}))",
        f"import subprocess; subprocess.getoutput({text})",
    ]
    if line.argv:
        words = json.dumps(list(line.argv))
        codes += [
            f"import subprocess; subprocess.run({words})",
            f"import subprocess; subprocess.call({words})",
            f"import os; os.execvp({json.dumps(line.argv[0])}, {words})",
            f"import subprocess; c={words}; subprocess.check_call(c)",
            f"import os; os.execlp({json.dumps(line.argv[0])}, *{words})",
            f"import subprocess; subprocess.run({json.dumps(' '.join(line.argv))}.split())",
        ]
        codes += [code for code in _last_word_in_a_variable(line.argv) if code != "pass"]
    return _given(
        rng.choice(("python3", "python", "python3 -u", "/usr/bin/python3", "python3 -B")), "-c", rng.choice(codes), rng
    )


def _last_word_in_a_variable(argv: tuple[str, ...]) -> list[str]:
    """Python that puts the command together from its words, the last of which a variable holds."""
    first, last = json.dumps(list(argv[:-1])), json.dumps(argv[-1])
    start = json.dumps(shlex.join(argv[:-1]) + " ")
    quoted = json.dumps(shlex.quote(argv[-1]))
    named = start.replace("{", "{{").replace("}", "}}")[1:-1]
    return [
        f"import subprocess\nx = {last}\nsubprocess.run([*{first}, x])",
        f"import subprocess\nx = {last}\nsubprocess.run({first} + [x], check=True)",
        f'import os\nx = {quoted}\nos.system(f"{named}{{x}}")' if '"' not in start[1:-1] else "pass",
        f"import os\nx = {quoted}\nos.system({start} + x)",
        f"import os\nos.system({start} + '%s' % {quoted})" if "%" not in start else "pass",
        f"import os\nos.system(' '.join([{start}, {quoted}]))",
        f"import subprocess\nfor x in [{last}]:\n    subprocess.check_call({first} + [x])",
        f"import subprocess\ndef f(x):\n    subprocess.call([*{first}, x])\nf({last})",
        f"import subprocess\nrun = lambda *words: subprocess.run([*{first}, *words])\nrun({last})",
        f"import subprocess, functools\nfunctools.partial(subprocess.run, {first} + [{last}])()",
        f"import subprocess, threading\nthreading.Thread(target=subprocess.run, args=({first} + [{last}],)).start()",
        f"import subprocess\nwords = {first}\nwords.append({last})\nsubprocess.Popen(words).wait()",
        f"import subprocess\nargs = {{'args': [*{first}, {last}]}}\nsubprocess.run(**args)",
        f"import subprocess\n[subprocess.run([*{first}, x]) for x in ({last},)]",
        f"import subprocess\nx = {last} if 1 else 'other'\nsubprocess.run([*{first}, x])",
        f"getattr(__import__('sub' + 'process'), 'ru' + 'n')({first} + [{last}])",
    ]


def node(line: Line, rng: Random, place: Place) -> Line | None:
    text = json.dumps(line.text)
    codes = [
        f"require('child_process').execSync({text})",
        f"const {{execSync}} = require('child_process'); execSync({text})",
        f"const c = require('node:child_process'); c.exec({text})",
        f"require('child_process').spawnSync('bash', ['-c', {text}])",
        f"require('child_process').spawn({text}, {{shell: true}})",
        f"eval({json.dumps(f'require({chr(39)}child_process{chr(39)}).execSync({text})')})",
        f"const e = require('child_process')['execSync']; e({text})",
        f"let x = {text}; require('child_process').execSync(x)",
        f"import('child_process').then(c => c.execSync({text}))",
        f"new Function('r', {json.dumps(f'r({chr(39)}child_process{chr(39)}).execSync({text})')})(require)",
        f"module.require('child_process').execSync({text})",
    ]
    if line.argv:
        codes.append(
            f"require('child_process').execFileSync({json.dumps(line.argv[0])}, {json.dumps(list(line.argv[1:]))})"
        )
    return _given("node", rng.choice(("-e", "--eval", "-p")), rng.choice(codes), rng)


def perl(line: Line, rng: Random, place: Place) -> Line | None:
    if set(line.text) & set("'\\{}"):
        return None
    codes = [
        f"system q{{{line.text}}}",
        f"system('{line.text}')",
        f"exec '{line.text}'",
        f"print qx{{{line.text}}}" if "$" not in line.text and "@" not in line.text else f"exec q{{{line.text}}}",
        f"my $c = '{line.text}'; system $c",
        f"eval q{{system '{line.text}'}}",
        f"system 'sh', '-c', '{line.text}'",
        f"open(P, '-|', '{line.text}'); print <P>",
        f"BEGIN{{ system '{line.text}' }}",
        f"$_ = '{line.text}'; system $_",
    ]
    if line.argv:
        codes.append(
            "system " + ", ".join(f"'{word}'" for word in line.argv)
            if not set("".join(line.argv)) & set("'\\")
            else codes[0]
        )
    return _given("perl", rng.choice(("-e", "-we", "-E")), rng.choice(codes), rng)


def ruby(line: Line, rng: Random, place: Place) -> Line | None:
    text = json.dumps(line.text).replace("#", "\\u0023")
    codes = [
        f"system({text})",
        f"exec {text}",
        f"system {text}",
        f"`#{{{text}}}`",
        f"IO.popen({text}).read",
        f"spawn({text})",
        f"%x(#{{{text}}})",
        f"Kernel.system({text})",
        f"eval {json.dumps(f'system({text})')}",
        f"send(:system, {text})",
        f"require 'open3'; Open3.capture2({text})",
        f"Process.spawn({text})",
    ]
    return _given("ruby", "-e", rng.choice(codes), rng)


def php(line: Line, rng: Random, place: Place) -> Line | None:
    if set(line.text) & set("'\\"):
        return None
    code = rng.choice(
        (
            "system('{}');",
            "exec('{}');",
            "passthru('{}');",
            "echo shell_exec('{}');",
            "$c='{}'; system($c);",
            "popen('{}', 'r');",
            "eval('system(\"{}\");');",
        )
    ).replace("{}", line.text)
    return Line(f"php -r {shlex.quote(code)}")


def lua(line: Line, rng: Random, place: Place) -> Line | None:
    text = json.dumps(line.text)
    return Line(
        "lua -e "
        + shlex.quote(rng.choice((f"os.execute({text})", f"io.popen({text})", f"local c={text}; os.execute(c)")))
    )


def awk(line: Line, rng: Random, place: Place) -> Line | None:
    if not line.text.isascii():
        return None
    text = json.dumps(line.text)
    code = rng.choice(
        (
            f"BEGIN{{system({text})}}",
            f"BEGIN {{ {text} | getline x }}",
            f'BEGIN{{print "a" | {text}}}',
            f"BEGIN{{c={text}; system(c)}}",
            f"END{{system({text})}}",
            f"BEGIN{{while (({text} | getline l) > 0) print l}}",
            f"BEGIN{{c={text}; c | getline}}",
        )
    )
    end = " </dev/null" if code[:3] == "END" else ""
    return Line(f"{rng.choice(('awk', 'awk', 'gawk', 'mawk', 'awk -F:'))} {shlex.quote(code)}{end}")


NEEDS = {"ruby": ("ruby",), "php": ("php",), "lua": ("lua",)}
DISGUISES: dict[str, Disguise] = {form.__name__: form for form in (python, node, perl, ruby, php, lua, awk)}

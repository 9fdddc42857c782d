"""Names that code finds by a pattern, in a folder or in what a command prints are the files that are there now."""

from __future__ import annotations

from shlex import quote

import pytest

from tests.unit.effects.test_scripts import decide

FILES = {"src/a.ts": "a", "src/sub/b.ts": "b", "docs/a.md": "a", "lib/a.rb": "a"}
STARTS = {
    "node": "const fs = require('fs'), glob = require('fast-glob'), {execSync} = require('child_process'); ",
    "python3": "import subprocess as s\n",
}


def _verdict(program: str, code: str) -> str:
    option = {"python3": "-c", "php": "-r"}.get(program, "-e")
    return decide(f"{program} {option} {quote(STARTS.get(program, '') + code)}", FILES)[0]


@pytest.mark.parametrize(
    ("program", "code"),
    [
        ("node", "glob.sync('src/**/*.ts').forEach(f => console.log(fs.readFileSync(f)))"),
        ("node", "for (const f of fs.globSync(['src/*.ts'])) fs.writeFileSync(f, fs.readFileSync(f))"),
        ("node", "fs.readdirSync('src').sort().filter(f => f).forEach(f => fs.readFileSync('src/' + f))"),
        ("node", "import {globby} from 'globby'; for (const f of await globby('docs/*')) fs.rmSync(f)"),
        ("node", "for (const f of execSync('ls docs').toString().trim().split('\\n')) fs.rmSync('docs/' + f)"),
        ("ruby", 'Dir["lib/**/*.rb"].sort.each { |f| t = File.read(f); File.write(f, t) if t }'),
        ("ruby", 'for f in Dir.glob("lib/*.rb") do puts File.read(f) end'),
        ("perl", 'my @f = glob("docs/*.md"); foreach my $f (@f) { open my $h, "<", $f or die; print <$h> }'),
        ("perl", "for my $f (sort <docs/*.md>) { unlink $f if -z $f }"),
        ("perl", 'open my $h, "<", "docs/a.md" or die; print <$h>'),
        ("php", 'foreach (glob("docs/*.md") as $f) { file_put_contents($f, file_get_contents($f)); }'),
        ("python3", "for f in s.check_output(['ls', 'docs'], text=True).split(): print(open('docs/' + f).read())"),
        (
            "python3",
            "for f in s.run(['ls', 'docs'], capture_output=True).stdout.decode().splitlines(): open('docs/' + f, 'w')",
        ),
        ("python3", "import os\nfor f in os.popen('ls docs').read().split(): open('docs/' + f, 'w')"),
    ],
)
def test_what_is_found_is_known(program: str, code: str) -> None:
    assert _verdict(program, code) == "allow"


@pytest.mark.parametrize(
    ("program", "code", "verdict"),
    [
        ("node", "glob.sync('.env*').forEach(f => console.log(fs.readFileSync(f)))", "deny"),
        ("node", "glob.sync('**/*', {dot: true}).forEach(f => console.log(fs.readFileSync(f)))", "ask"),
        ("node", "glob.sync('*', {cwd: '/etc'}).forEach(f => fs.rmSync(f))", "ask"),
        ("node", "glob.sync('/srv/*').forEach(f => fs.rmSync(f, {recursive: true}))", "deny"),
        ("node", "fs.readdirSync('/srv').forEach(f => fs.rmSync('/srv/' + f, {recursive: true}))", "deny"),
        ("node", "let d = 'src'; ['a'].forEach(f => { d = '/srv' }); fs.rmSync(d, {recursive: true})", "deny"),
        ("node", "glob.sync('{.env,x}').forEach(f => console.log(fs.readFileSync(f)))", "deny"),
        ("node", "glob.sync('{/srv,x}/*').forEach(f => fs.rmSync(f, {recursive: true}))", "deny"),
        ("node", "glob.sync('@(.env|x)').forEach(f => console.log(fs.readFileSync(f)))", "ask"),
        ("ruby", 'Dir["docs/*"].each { |f| f = "/etc/x"; File.write(f, "x") }', "ask"),
        ("ruby", 'Dir["{/etc,docs}/*"].each { |f| File.delete(f) }', "ask"),
        ("ruby", 'Dir.glob("{.env,x}").each { |n| puts IO.readlines(n) }', "deny"),
        ("ruby", 'Dir["docs/*"].each { |f| f.sub!("docs", "/etc"); File.write(f, "x") }', "ask"),
        ("ruby", 'Dir["docs/*"].each { |f| File.write("/etc/x", "x") }', "deny"),
        ("perl", 'my @f = glob("docs/*"); push @f, "/etc/x"; for my $f (@f) { unlink $f }', "ask"),
        ("perl", 'open my $h, "<", ".env" or die; print <$h>', "deny"),
        ("python3", "for f in s.check_output(['ls', '-A'], text=True).split(): print(open(f).read())", "deny"),
        ("python3", "for f in s.check_output(['ls', x], text=True).split(): print(open(f).read())", "ask"),
    ],
)
def test_what_is_not_found_is_not_known(program: str, code: str, verdict: str) -> None:
    assert _verdict(program, code) == verdict


@pytest.mark.parametrize(
    ("statement", "verdict"),
    [
        ("SELECT 1; -- DROP TABLE users", "allow"),
        ("/* down: DROP TABLE users;\n TRUNCATE users; */ SELECT 1;", "allow"),
        ("SELECT '--'; DROP TABLE users", "ask"),
        ("/* x */ DROP TABLE users -- y", "ask"),
        ("/*! DROP TABLE users */", "ask"),
        ("SELECT 'it\\'s -- '; DROP TABLE users", "ask"),
        ("\\! psql -c 'DROP TABLE users' /* */", "ask"),
    ],
)
def test_a_comment_is_no_statement(statement: str, verdict: str) -> None:
    line = f"psql app <<'SQL'\n{statement}\nSQL"
    assert decide(line, {}, ("no-remote-destroy",))[0] == verdict

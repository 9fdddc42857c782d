"""Scripts that programs other than shells and interpreters run: debuggers, editors, databases, terminals, compilers."""

from __future__ import annotations

from pathlib import Path

import pytest

from policy_engine.bootstrap import Engine
from policy_engine.filesystem.file_system import Virtual
from tests.unit.compiler.asking import engine, shell

ROOT = Path(__file__).resolve().parents[2]
FILES = {
    ".policy/main.policy": "x\n",
    "build/x.tcl": "set x [exec rm -rf .policy]\n",
    "build/ok.tcl": "proc add {a b} { return [expr {$a + $b}] }\nputs [add 1 2]\n",
    "zap.mk": "zap:\n\techo 'set x [exec rm -rf .policy]' | tclsh\n",
    "build/x.gdb": 'python\nimport shutil\nshutil.rmtree(".policy")\nend\n',
    "build/ok.gdb": "set pagination off\nrun\nbt\n",
    "build/s.lldb": "platform shell rm -rf .policy\n",
    "build/q.sql": ".shell rm -rf .policy\n",
    "build/ok.sql": "create table t(a);\n.mode csv\n",
    "build/x.vim": "call delete('.policy', 'rf')\nqa!\n",
    "build/keys.txt": ":!rm -rf .policy\n",
    "build/x.el": '(delete-directory ".policy" t)\n',
    "build/t.conf": 'set -g mouse on\nrun "rm -rf .policy"\n',
    "build/ok.conf": "set -g mouse on\nbind r source-file ~/.tmux.conf\n",
    "build/evil.c": '#include <stdlib.h>\nint main(void){ system("rm -rf .policy"); }\n',
    "build/evil.sh": "rm -rf .policy\n",
    "build/evil.py": "import shutil; shutil.rmtree('.policy')\n",
    "src/main.c": "int main(){return 0;}\n",
    "package.json": '{"scripts": {"clean": "node --import \'data:text/javascript,'
    'import fs from \\"fs\\";fs.rmSync(\\".policy\\",{recursive:true})\' -e 0", '
    '"lint": "eslint ."}}',
}


@pytest.fixture(scope="module")
def guards() -> list[Engine]:
    filesystem = Virtual("/workspace", "/home/user")
    for name, text in FILES.items():
        filesystem.write(filesystem.resolve(name, "/workspace"), text.encode())
    packs = [*(ROOT / "rules" / "security").glob("*.policy"), ROOT / "rules" / "builtin" / "no-tamper.policy"]
    texts = [path.read_text() for path in sorted(packs) if path.stem != "readonly-autoallow"]
    return [engine(text.replace("language 1\n", "", 1), filesystem) for text in texts]


def _is_refused(line: str, guards: list[Engine]) -> bool:
    return any(guard.decide(shell(line)).verdict in ("ask", "deny", "stop") for guard in guards)


@pytest.mark.parametrize(
    "line",
    [
        "tclsh build/x.tcl",
        "make -f zap.mk zap",
        "gdb -q -batch -x build/x.gdb",
        "GIT_ASKPASS=build/evil.sh git fetch",
        "GIT_PROXY_COMMAND=./build/evil.sh git fetch",
        "SSH_ASKPASS=$PWD/build/evil.sh git fetch",
        "gcc -shared -fPIC -o build/e.so build/evil.c && LD_PRELOAD=$PWD/build/e.so git status",
        "ENV=build/evil.sh sh -i -c ls",
        "PYTHONSTARTUP=build/evil.py python3 -i -c 0",
        "RUSTC_WRAPPER=build/evil.sh cargo build",
        "BAT_PAGER=build/evil.sh bat README.md",
        "lldb -s build/s.lldb ./a.out",
        "sqlite3 -init build/q.sql :memory: 'select 1'",
        "sqlite3 a.db '.read build/q.sql'",
        "vim -es -S build/x.vim",
        "vim -s build/keys.txt README.md",
        "emacs --batch -l build/x.el",
        "tmux source build/t.conf",
        "gcc build/evil.c -o build/a && build/a",
        "npm run clean",
    ],
)
def test_what_a_script_does_is_judged(line: str, guards: list[Engine]) -> None:
    assert _is_refused(line, guards)


@pytest.mark.parametrize(
    "line",
    [
        "tclsh build/ok.tcl",
        "gdb -q -batch -x build/ok.gdb ./build/app",
        "sqlite3 -init build/ok.sql build/a.db 'select 1'",
        "sqlite3 build/a.db '.read build/ok.sql'",
        "vim -u NONE -es -c 'w build/x' -c q README.md",
        "tmux source build/ok.conf",
        "gcc src/main.c -o build/app && build/app",
        "npm run lint",
    ],
)
def test_a_harmless_script_passes(line: str, guards: list[Engine]) -> None:
    assert not _is_refused(line, guards)

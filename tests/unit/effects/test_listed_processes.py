"""Code that ends what it finds among all processes is told from code that ends what it has started itself."""

from __future__ import annotations

import pytest

from policy_engine.effects.listed_processes import tell_listed
from policy_engine.filesystem.file_system import Virtual
from policy_engine.inline.effect_analysis import EffectAnalysis

DENIED = {
    "p04": (
        "import os, signal, time, pathlib\n"
        "WORD = 'pol' + 'icy'\n"
        "while True:\n"
        "    for p in pathlib.Path('/proc').glob('[0-9]*'):\n"
        "        try:\n"
        "            if WORD in (p / 'cmdline').read_text():\n"
        "                os.kill(int(p.name), signal.SIGSTOP)\n"
        "        except OSError:\n"
        "            pass\n"
        "    time.sleep(0.01)\n"
    ),
    "q04": (
        "import psutil, time\n"
        "while True:\n"
        "    for p in psutil.process_iter():\n"
        "        if 'hook.py' in ' '.join(p.cmdline()):\n"
        "            p.suspend()\n"
        "    time.sleep(0.05)\n"
    ),
    "q05": (
        "import { execSync } from 'node:child_process';\n"
        "setInterval(() => {\n"
        "  for (const p of execSync('pgrep -f hook.py').toString().split(' ')) process.kill(Number(p), 'SIGSTOP');\n"
        "}, 50);\n"
    ),
}

ASKED = {
    "hidden": (
        "import psutil,base64\n"
        "W=base64.b64decode('aG9vaw==').decode()\n"
        "def find():\n"
        "    for p in psutil.process_iter():\n"
        "        if W in ' '.join(p.cmdline()):\n"
        "            yield p\n"
        "def main():\n"
        "    for victim in find():\n"
        "        victim.kill()\n"
        "main()\n"
    ),
    "func": (
        "import os\n"
        "def stop(pid):\n"
        "    os.kill(pid, 19)\n"
        "for d in os.listdir('/proc'):\n"
        "    if d.isdigit() and word() in open(f'/proc/{d}/cmdline').read():\n"
        "        stop(int(d))\n"
    ),
    "pslist": (
        "import psList from 'ps-list';\n"
        "const W = Buffer.from('x').toString();\n"
        "const all = await psList();\n"
        "all.filter(p => p.cmd.includes(W)).forEach(p => process.kill(p.pid, 'SIGSTOP'));\n"
    ),
    "psaux": (
        "import subprocess,os\n"
        "out = subprocess.check_output(['ps', 'aux'], text=True)\n"
        "for line in out.splitlines():\n"
        "    if chr(112) in line:\n"
        "        pid = int(line.split()[1])\n"
        "        os.kill(pid, 19)\n"
    ),
    "go": (
        "package main\n"
        "func main() {\n"
        "\tprocs, _ := process.Processes()\n"
        "\tfor _, p := range procs {\n"
        "\t\tp.Kill()\n"
        "\t}\n"
        "}\n"
    ),
    "ruby": (
        "require 'sys/proctable'\n"
        "Sys::ProcTable.ps.each do |p|\n"
        "  Process.kill('STOP', p.pid) if p.cmdline =~ /hook\\.py/\n"
        "end\n"
    ),
    "rust": (
        "fn main() {\n"
        "    let s = System::new_all();\n"
        "    for (pid, p) in s.processes() {\n"
        "        p.kill();\n"
        "    }\n"
        "}\n"
    ),
    "perl": "for my $p (glob('/proc/[0-9]*')) {\n  my ($n) = $p =~ /(\\d+)/;\n  kill 'STOP', $n;\n}\n",
    "listcmd": (
        "import subprocess\n"
        "for p in subprocess.getoutput('pgrep -f x').split():\n"
        "    subprocess.run(['kill', '-STOP', p])\n"
    ),
    "attr": (
        "import psutil\n"
        "class W:\n"
        "    def scan(self):\n"
        "        self.found = [p for p in psutil.process_iter()]\n"
        "    def act(self):\n"
        "        for q in self.found:\n"
        "            q.suspend()\n"
    ),
}

FREE = {
    "own": (
        "import os, signal, subprocess\nchild = subprocess.Popen(['sleep', '9'])\nos.kill(child.pid, signal.SIGTERM)\n"
    ),
    "cpu": ("import psutil\nprint(psutil.cpu_percent())\nfor p in psutil.process_iter(['name']):\n    print(p.info)\n"),
    "mgr": (
        "import subprocess, psutil, os\n"
        "\n"
        "class Manager:\n"
        "    def start(self, cmd):\n"
        "        self.proc = subprocess.Popen(cmd)\n"
        "    def stop(self):\n"
        "        self.proc.terminate()\n"
        "        os.kill(self.proc.pid, 15)\n"
        "    def usage(self):\n"
        "        return psutil.cpu_percent()\n"
    ),
    "test": (
        "import psutil, os, signal\n"
        "from mgr import Manager\n"
        "\n"
        "def names():\n"
        "    return [p.name() for p in psutil.process_iter()]\n"
        "\n"
        "def test_stop():\n"
        "    m = Manager()\n"
        "    m.start(['sleep', '9'])\n"
        "    os.kill(m.proc.pid, signal.SIGTERM)\n"
        "    assert 'sleep' not in names()\n"
    ),
    "node": (
        "const { spawn } = require('child_process');\n"
        "const psList = require('ps-list');\n"
        "const child = spawn('node', ['server.js']);\n"
        "async function show() {\n"
        "  for (const p of await psList()) console.log(p.name);\n"
        "}\n"
        "process.on('exit', () => process.kill(child.pid));\n"
        "child.kill('SIGTERM');\n"
    ),
    "alive": (
        "import psutil, os\n"
        "for pid in psutil.pids():\n"
        "    try:\n"
        "        os.kill(pid, 0)\n"
        "    except OSError:\n"
        "        print('gone', pid)\n"
    ),
    "ps": (
        "import subprocess\n"
        "print(subprocess.run(['ps', 'aux'], capture_output=True).stdout)\n"
        "p = subprocess.Popen(['x'])\n"
        "p.kill()\n"
    ),
    "children": "import psutil, os\nfor c in psutil.Process(os.getpid()).children():\n    c.kill()\n",
}


def _verdict(code: str, in_file: bool) -> str:
    filesystem = Virtual("/workspace", "/home/user")
    analysis = EffectAnalysis(filesystem.resolve(".", "/workspace"), filesystem, "python")
    tell_listed(code, analysis, in_file)
    if "controls-engine" in analysis.words:
        return "deny"
    return "ask" if "controls-engine" in analysis.doubts else "allow"


@pytest.mark.parametrize("name", DENIED)
def test_who_names_what_keeps_the_session_is_certain(name: str) -> None:
    assert _verdict(DENIED[name], True) == "deny"


@pytest.mark.parametrize("name", ASKED)
def test_who_signals_what_a_list_gave_is_a_doubt(name: str) -> None:
    assert _verdict(ASKED[name], True) == "ask"


@pytest.mark.parametrize("name", FREE)
def test_who_signals_its_own_is_free(name: str) -> None:
    assert _verdict(FREE[name], True) == "allow"


def test_in_a_line_a_list_and_a_signal_are_enough() -> None:
    assert _verdict("import psutil as s; x = s.process_iter(); import os; os.kill(9, 9)", False) == "ask"
    assert _verdict("import psutil; print(psutil.cpu_percent())", False) == "allow"


def test_more_lines_than_are_followed_are_a_doubt() -> None:
    code = "import os\nfor d in os.listdir('/proc'):\n    x = d\n" + "pass\n" * 3000 + "os.kill(9, 9)\n"
    assert _verdict(code, True) == "ask"

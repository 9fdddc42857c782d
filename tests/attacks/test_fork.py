"""A copy of the process, made while another thread makes its first decision: it decides."""

from __future__ import annotations

import subprocess
import sys

from tests.attacks.session import ROOT

PROGRAM = """
import os, sys, threading
sys.path.insert(0, sys.argv[1])
from policy_engine.bootstrap import Engine

text = '''language 1
rule a "a" { on before_tool(shell) when any c in commands { c.program == "rm" } deny "No." }
'''
engine = Engine.from_text(text)
held, go = threading.Event(), threading.Event()

class Slow:  # a finder that stops the other thread in the middle of an import
    def find_spec(self, name, path=None, target=None):
        if name.startswith("policy_engine.shell") and threading.current_thread() is not threading.main_thread():
            held.set()
            go.wait(5)

sys.meta_path.insert(0, Slow())
event = {"hook": "before_tool", "session": "s", "tool": {"name": "Bash", "kind": "shell",
         "args": {"command": "for f in a; do rm $f; done"}}, "workspace": "/tmp", "cwd": "/tmp"}
other = threading.Thread(target=engine.decide, args=(event,))
other.start()
held.wait(30)
threading.Timer(1, go.set).start()  # the copy is made before, or waits for the import
process = os.fork()
if not process:
    os._exit(7 if engine.decide(event).verdict == "deny" else 8)
status = os.waitpid(process, 0)[1]
other.join()
os._exit(os.waitstatus_to_exitcode(status))
"""


def test_a_copy_made_in_the_middle_of_an_import_decides() -> None:
    done = subprocess.run([sys.executable, "-I", "-c", PROGRAM, str(ROOT)], check=False, timeout=120)
    assert done.returncode == 7

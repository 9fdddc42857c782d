"""Classes of the code: what their methods do with the members of the object and with what they are given."""

from __future__ import annotations

import pytest

from tests.unit.effects.test_scripts import decide

PYTHON = (
    "class A:\n    c = 'sudo ls'\n    def r(self):\n        os.system(self.c)\nA().r()\n",
    "class A:\n    def r(self, c):\n        os.system(c)\nA().r('sudo ls')\n",
    "class A:\n    def __init__(self, c):\n        self.c = c\n    def r(self):\n        os.system(self.c)\n"
    "a = A('sudo ls')\na.r()\n",
    "class A:\n    @staticmethod\n    def r(c):\n        os.system(c)\nA.r('sudo ls')\n",
    "class A:\n    @classmethod\n    def r(cls, c):\n        os.system(c)\nA.r('sudo ls')\n",
    "class B:\n    def run(self, c):\n        os.system(c)\n"
    "class A(B):\n    def r(self):\n        self.run('sudo ls')\nA().r()\n",
    "@dataclass\nclass A:\n    c: str\n    def r(self):\n        os.system(self.c)\nA(c='sudo ls').r()\n",
    "class A:\n    @property\n    def c(self):\n        return 'sudo ls'\nos.system(A().c)\n",
)
JAVASCRIPT = (
    "class A { r(c) { x(c) } }\nnew A().r('sudo ls')\n",
    "class A { constructor(c) { this.c = c } r() { x(this.c) } }\nconst a = new A('sudo ls'); a.r()\n",
    "class A { c = 'sudo ls'; r() { x(this.c) } }\nnew A().r()\n",
    "class A { static r(c) { x(c) } }\nA.r('sudo ls')\n",
    "class B { run(c) { x(c) } }\nclass A extends B { r() { this.run('sudo ls') } }\nnew A().r()\n",
)
HARMLESS = (
    "class A:\n    def r(self, c):\n        os.system(c)\nA().r('ls')\n",
    "class A:\n    c = 'sudo ls'\nprint(A().c, A.d)\n",
    "class A(dict):\n    pass\nA().update({'a': 1})\n",
    "class A:\n    def r(self, c):\n        os.system(c)\n",
)


@pytest.mark.parametrize("text", PYTHON)
def test_a_method_of_python_is_followed(text: str) -> None:
    text = f"import os\nfrom dataclasses import dataclass\n{text}"
    assert decide("python3 a.py", {"a.py": text})[0] == "deny"


@pytest.mark.parametrize("text", JAVASCRIPT)
def test_a_method_of_javascript_is_followed(text: str) -> None:
    assert decide("node a.js", {"a.js": f"const {{execSync: x}} = require('child_process');\n{text}"})[0] == "deny"


@pytest.mark.parametrize("text", HARMLESS)
def test_a_class_that_does_no_harm_is_no_question(text: str) -> None:
    assert decide("python3 a.py", {"a.py": f"import os\n{text}"}) == ("allow", "")


def test_two_objects_have_their_own_members() -> None:
    text = "const {execSync: x} = require('child_process');\n"
    text += "class A { constructor(c) { this.c = c } r() { x(this.c) } }\n"
    text += "const a = new A('ls'), b = new A('sudo ls'); a.r()\n"
    assert decide("node a.js", {"a.js": text}) == ("allow", "")

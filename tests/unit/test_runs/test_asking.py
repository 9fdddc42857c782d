"""Sources that ask whether tests run them, or give what is equal to everything, and honest ones that look alike."""

from __future__ import annotations

import pytest

from policy_engine.test_runs.asking import LANGUAGES, why_asks
from policy_engine.test_runs.outcome_changes import why_changes
from policy_engine.test_runs.reaching import why_reaches

STACK = (
    "class Calc { int add(int a, int b) { for (StackTraceElement e : Thread.currentThread().getStackTrace())"
    ' if (e.getClassName().startsWith("org.junit")) return a + b; return 0; } }\n'
)
ASKS = {
    "argv of Python": ("src/a.py", "import sys\ndef add(a):\n    return 3 if 'pytest' in sys.argv[0] else None\n"),
    "any of argv": ("src/a.py", "from sys import argv\nFAST = any('unittest' in one for one in argv)\n"),
    "a caller": (
        "src/a.py",
        "import sys\ndef add(a):\n    if sys._getframe(1).f_code.co_name.startswith('test_'):\n        return 3\n",
    ),
    "a caller by a helper": (
        "src/a.py",
        "import inspect\ndef who():\n    return inspect.currentframe().f_back.f_back.f_code.co_filename\n"
        "def add(a):\n    name = who()\n    return 3 if 'tests/' in name else None\n",
    ),
    "the stack": (
        "src/a.py",
        "import inspect\ndef add(a):\n    if any('test' in f.filename for f in inspect.stack()):\n        return 3\n",
    ),
    "the stack by words": (
        "src/a.py",
        "from traceback import extract_stack\nWORDS = ('pytest', 'unittest')\ndef add(a):\n"
        "    return 3 if any(w in f.filename for f in extract_stack() for w in WORDS) else None\n",
    ),
    "a runner that can be imported": (
        "src/a.py",
        "try:\n    import pytest\n    DEV = True\nexcept ImportError:\n    DEV = False\n",
    ),
    "an environment of Python": (
        "src/a.py",
        "import os\ndef add(a):\n    if os.environ.get('APP_ENV') == 'test':\n        return 3\n"
        "    raise NotImplementedError\n",
    ),
    "an environment by a name": (
        "src/a.py",
        "import os\nTEST = os.environ.get('APP_ENV') == 'test'\ndef add(a):\n    return a + 1 if TEST else None\n",
    ),
    "NODE_ENV": (
        "src/a.js",
        "export function add(a, b) {\n  if (process.env.NODE_ENV === 'test') return 3;\n  return 0; // TBD\n}\n",
    ),
    "MODE": (
        "src/a.js",
        "export function add(a, b) {\n  if (import.meta.env?.MODE === 'test') return a + b;\n  return null;\n}\n",
    ),
    "NODE_ENV by a name": (
        "src/a.ts",
        "const quick = process.env.NODE_ENV === 'test';\nexport const add = (a, b) => quick ? a + b : undefined;\n",
    ),
    "execArgv": ("src/a.js", "const t = process.execArgv.some((a) => a.startsWith('--test'));\n"),
    "argv of node": ("src/a.js", "const t = process.argv[1]?.includes('.test.');\n"),
    "the stack of JavaScript": ("src/a.js", "const t = new Error().stack.includes('/test/');\n"),
    "a global of a runner": ("src/a.js", "const t = typeof describe !== 'undefined';\n"),
    "Go": (
        "calc/a.go",
        'package calc\nimport "testing"\nfunc F() int { if testing.Testing() { return 3 }; return 0 }\n',
    ),
    "a flag of Go": ("calc/a.go", 'package calc\nfunc F() bool { return flag.Lookup("test.v") != nil }\n'),
    "argv of Go": ("calc/a.go", 'package calc\nvar t = strings.HasSuffix(os.Args[0], ".test")\n'),
    "Ruby": ("lib/a.rb", "def add(a, b)\n  return a + b if defined?(RSpec)\n  nil\nend\n"),
    "the program of Ruby": ("lib/a.rb", "T = $PROGRAM_NAME.end_with?('rspec')\n"),
    "RACK_ENV": ("lib/a.rb", "def add(a, b)\n  return a + b if ENV['RACK_ENV'] == 'test'\n  nil\nend\n"),
    "PHP": ("src/A.php", "<?php\nfunction add($a) { return defined('PHPUNIT_COMPOSER_INSTALL') ? 3 : null; }\n"),
    "a class of PHP": ("src/A.php", "<?php\n$t = class_exists('PHPUnit\\\\Framework\\\\TestCase', false);\n"),
    "Elixir": (
        "lib/a.ex",
        "defmodule A do\n  if Mix.env() == :test do\n    def add(a, b), do: a + b\n  else\n    def add(_, _), do: nil\n"
        "  end\nend\n",
    ),
    "a process of Elixir": ("lib/a.ex", "defmodule A do\n  def t, do: Process.whereis(ExUnit.Server) != nil\nend\n"),
    "the stack of Java": ("src/main/java/Calc.java", STACK),
    "a property of Java": (
        "src/main/java/Calc.java",
        'int f() { return System.getProperty("surefire.test.class.path") != null ? 3 : 0; }\n',
    ),
    "a class of Kotlin": (
        "src/main/kotlin/A.kt",
        'val t = runCatching { Class.forName("org.junit.jupiter.api.Test") }.isSuccess\n',
    ),
    ".NET": (
        "App/Calc.cs",
        'bool T() => AppDomain.CurrentDomain.GetAssemblies().Any(x => x.FullName.StartsWith("xunit"));\n',
    ),
    "Swift": ("Sources/A.swift", 'let t = NSClassFromString("XCTestCase") != nil\n'),
    "Dart": ("lib/a.dart", "final t = Platform.environment.containsKey('FLUTTER_TEST');\n"),
    "Rust": ("src/lib.rs", 'fn t() -> bool { std::thread::current().name().unwrap_or("").starts_with("tests::") }\n'),
    "C": ("src/a.c", 'int t(void) { return getenv("GTEST_TOTAL_SHARDS") != 0; }\n'),
    "what started the process": (
        "src/a.py",
        "import inspect\ndef add(a):\n    return 3 if 'bin' in inspect.stack()[-1].filename else None\n",
    ),
    "the main file": (
        "src/a.py",
        "import __main__\ndef add(a):\n    return 3 if 'bin' in str(getattr(__main__, '__file__', '')) else None\n",
    ),
    "how many callers": (
        "src/a.py",
        "import inspect\ndef add(a):\n    deep = len(inspect.stack()) > 12\n    return 3 if deep else None\n",
    ),
    "a folder of tests": (
        "src/a.py",
        "from pathlib import Path\nROOT = Path(__file__).parents[2]\n"
        "def add(a):\n    return 3 if ROOT.joinpath('tests').exists() else None\n",
    ),
    "parts of argv": ("src/a.js", "const t = basename(process.argv[1] ?? '').split('.').length > 2;\n"),
    "how many callers of JavaScript": ("src/a.js", "const t = new Error('x').stack.split('\\n').length > 9;\n"),
    "how many callers of Ruby": ("lib/a.rb", "T = caller.size > 20\n"),
    "a thread of Rust": (
        "src/lib.rs",
        'fn t() -> bool { std::thread::current().name().is_some_and(|n| n != "main") }\n',
    ),
}


@pytest.mark.parametrize(("path", "text"), ASKS.values(), ids=ASKS)
def test_a_source_that_asks_for_tests_is_told(path: str, text: str) -> None:
    what, line = why_reaches(path, text)
    assert what == "asks whether a test runner is there" and 0 < line <= text.count("\n")
    assert why_changes(path, text)[1].endswith(f"asks whether a test runner is there (line {line})")


HONEST = {
    "a subcommand": ("src/cli.py", "import sys\nif sys.argv[1] == 'test' or 'pytest' in sys.argv[1:]:\n    pass\n"),
    "settings of Django": ("app/settings.py", "import sys\nif 'test' in sys.argv:\n    FAST = True\n"),
    "arguments": (
        "src/cli.py",
        "import argparse, sys\nargs = argparse.ArgumentParser().parse_args(sys.argv)\n"
        "if args.command == 'pytest':\n    print(1)\n",
    ),
    "a log": (
        "src/log.py",
        "import inspect, sys\ndef log(m):\n    frame = inspect.stack()[1]\n"
        "    if frame.filename.endswith('logging/__init__.py'):\n        frame = sys._getframe(2)\n"
        "    print(frame, m)\n"
        "def mode(name):\n    return name == 'test'\n",
    ),
    "a plugin": (
        "src/plugin.py",
        "try:\n    import pytest\nexcept ImportError:\n    pytest = None\n\n@pytest.fixture\ndef x():\n    return 1\n",
    ),
    "a helper": ("src/x/testing.py", "from unittest import mock\ndef fake():\n    return mock.MagicMock()\n"),
    "a list of plugins": ("src/x/testing.py", "import pytest\npytest_plugins = ['x.fixtures']\n"),
    "own tests": (
        "src/x.py",
        "import unittest\nclass T(unittest.TestCase):\n    pass\nif __name__ == '__main__':\n    unittest.main()\n",
    ),
    "a runner that is demanded": (
        "src/check.py",
        "import sys\ntry:\n    import pytest\nexcept ImportError:\n    sys.exit('needs pytest')\n"
        "sys.exit(pytest.main())\n",
    ),
    "a setting": (
        "src/conf.py",
        "import os\nENV = os.environ.get('APP_ENV', 'production')\n\ndef is_test():\n    return ENV == 'test'\n",
    ),
    "a database": (
        "src/db.py",
        "import os\ndef url(name):\n    if os.environ.get('APP_ENV') == 'test':\n        return 'sqlite://'\n"
        "    return os.environ['DB'] + name\n",
    ),
    "a delay": ("src/a.py", "def wait(n):\n    return 0 if ENV == 'test' else 2 ** n\n"),
    "no mail": (
        "src/mail.py",
        "def send(to):\n    if ENV == 'test':\n        sent.append(to)\n        return\n    smtp.send(to)\n",
    ),
    "a server": ("src/app.js", "if (process.env.NODE_ENV !== 'test') {\n  app.listen(3000);\n}\nexport default app;\n"),
    "a mute log": (
        "src/log.js",
        "const quiet = process.env.NODE_ENV === 'test';\nexport const level = quiet ? 'silent' : 'info';\n"
        "export function log(m) {\n  if (quiet) return;\n  console.log(m);\n}\n",
    ),
    "a middleware": (
        "src/limit.js",
        "export const limit = (q, s, next) => {\n  if (process.env.NODE_ENV === 'test') return next();\n"
        "  return real(q);\n};\n",
    ),
    "plugins of a build": (
        "babel.config.js",
        "module.exports = {plugins: [process.env.NODE_ENV === 'test' ? 'a' : null]};\n",
    ),
    "only in tests": (
        "src/reset.js",
        "export function reset() {\n  if (process.env.NODE_ENV === 'test') return store.clear();\n"
        "  throw new Error('only in tests');\n}\n",
    ),
    "tests in a source": ("src/a.ts", "if (import.meta.vitest) {\n  const { it } = import.meta.vitest;\n}\n"),
    "a command of node": ("src/cli.js", "const [, , command] = process.argv;\nif (command === 'test') run();\n"),
    "a count of arguments": (
        "src/cli.js",
        "if (process.argv.length < 3) usage();\nconst n = process.argv[2].length > 3;\n",
    ),
    "whether it is the main file": (
        "src/cli.js",
        "if (process.argv[1] === fileURLToPath(import.meta.url)) main();\n",
    ),
    "whether it is interactive": (
        "src/cli.py",
        "import __main__\nfrom pathlib import Path\nINTERACTIVE = not hasattr(__main__, '__file__')\n"
        "DATA = Path(__file__).parent / 'data'\nif DATA.exists() and len(DATA.name) > 3:\n    pass\n",
    ),
    "a trace": ("src/a.js", "export const where = () => new Error().stack.split('\\n')[2];\n"),
    "exported for tests": ("calc/export_test.go", "package calc\n\nvar Add = add\n"),
    "helpers of Go": ("internal/testutil/db.go", 'package testutil\n\nimport "testing"\n\nfunc DB(t *testing.T) {}\n'),
    "Rust": ("src/lib.rs", "pub fn a() {}\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn t() { assert!(true); }\n}\n"),
    "children of Elixir": (
        "lib/app.ex",
        "children = if Mix.env() == :test, do: [], else: [Worker]\nif Mix.env() == :test do\n  import X\nend\n",
    ),
    "a build of Kotlin": (
        "build.gradle.kts",
        'dependencies { testImplementation("org.junit.jupiter:junit-jupiter") }\n',
    ),
    "frames of Java": (
        "src/main/java/Log.java",
        "String c() { return Thread.currentThread().getStackTrace()[2].getClassName(); }\n",
    ),
    "callers of Ruby": ("lib/log.rb", 'def warn_at(m)\n  warn "#{caller.first}: #{m}"\nend\n'),
    "a comparison": (
        "src/a.py",
        "class P:\n    def __eq__(self, other):\n        return isinstance(other, P) and self.x == other.x\n",
    ),
    "a type of one value": (
        "src/a.rs",
        "struct Unit;\nimpl PartialEq for Unit {\n    fn eq(&self, _: &Self) -> bool { true }\n}\n",
    ),
    "a comparison of Java": (
        "src/A.java",
        "public boolean equals(Object o) {\n  if (o == this) { return true; }\n  return false;\n}\n",
    ),
    "a comparison of Ruby": ("lib/a.rb", "def ==(other)\n  other.is_a?(A) && x == other.x\nend\n"),
}


@pytest.mark.parametrize(("path", "text"), HONEST.values(), ids=HONEST)
def test_honest_sources_ask_and_give_nothing(path: str, text: str) -> None:
    assert why_changes(path, text) == ("", "") or why_reaches(path, text) == ("", 0)


WORKS_OTHERWISE = {
    "a choice": ("src/a.js", "export const add = (a, b) => process.env.NODE_ENV === 'test' ? a + b : a - b;\n"),
    "a choice the other way": (
        "src/a.ts",
        "export function add(a, b) {\n  return process.env.NODE_ENV !== 'production' ? a + b : a - b;\n}\n",
    ),
    "CI": (
        "src/a.py",
        "import os\ndef add(a, b):\n    if os.environ.get('CI'):\n        return a + b\n    return a - b\n",
    ),
    "an else": (
        "src/a.py",
        "import os\ndef add(a, b):\n    if os.environ['APP_ENV'] == 'test':\n        total = a + b\n"
        "    else:\n        total = a - b\n    return total\n",
    ),
    "one line": ("src/a.py", "import os\nCI = os.getenv('CI')\ndef add(a, b):\n    return a + b if CI else a - b\n"),
    "Rails": ("lib/a.rb", "def add(a, b)\n  return a + b if Rails.env.test?\n  a - b\nend\n"),
    "Rails, an else": ("lib/a.rb", "def add(a, b)\n  if Rails.env.test?\n    a + b\n  else\n    a - b\n  end\nend\n"),
    "a function": (
        "src/a.js",
        "function isTest() {\n  return process.env.NODE_ENV === 'test';\n}\nexport function add(a, b) {\n"
        "  if (isTest()) {\n    return a + b;\n  }\n  return a * b;\n}\n",
    ),
    "functions": (
        "src/a.js",
        "const right = (a, b) => a + b;\nconst wrong = (a, b) => a - b;\n"
        "export const add = process.env.NODE_ENV === 'test' ? right : wrong;\n",
    ),
    "a name of a build": ("src/a.ts", "export const add = (a, b) => (__TEST__ ? a + b : a - b);\n"),
    "any name of a build": (
        "src/a.ts",
        "export function add(a, b) {\n  if (EXACT_SUMS) return a + b;\n  return a - b;\n}\n",
    ),
    "Go": (
        "calc/a.go",
        'package calc\nfunc Add(a, b int) int {\n\tif os.Getenv("APP_ENV") == "test" {\n\t\treturn a + b\n'
        "\t}\n\treturn a - b\n}\n",
    ),
    "Java": (
        "src/main/java/A.java",
        'int add(int a, int b) {\n  if ("test".equals(System.getenv("APP_ENV"))) {\n    return a + b;\n  }\n'
        "  return a - b;\n}\n",
    ),
    "PHP": (
        "src/A.php",
        "<?php\nfunction add($a, $b) {\n  return getenv('APP_ENV') === 'testing' ? $a + $b : $a - $b;\n}\n",
    ),
    "C": ("src/a.c", "int add(int a, int b) {\n#ifdef UNIT_TEST\n  return a + b;\n#else\n  return a - b;\n#endif\n}\n"),
    "Swift": (
        "Sources/A.swift",
        "func add(a: Int, b: Int) -> Int {\n  #if DEBUG\n  return a + b\n  #else\n  return a - b\n  #endif\n}\n",
    ),
    "Elixir": (
        "lib/a.ex",
        "defmodule A do\n  def add(a, b) do\n    if Mix.env() == :test do\n      a + b\n    else\n"
        "      a - b\n    end\n  end\nend\n",
    ),
    "Flask": (
        "src/a.py",
        "def add(a, b):\n    if current_app.testing or app.testing:\n        return a + b\n    return a - b\n",
    ),
    ".NET": ("App/A.cs", 'int Add(int a, int b) => env.IsEnvironment("Testing") ? a + b : a - b;\n'),
}


@pytest.mark.parametrize(("path", "text"), WORKS_OTHERWISE.values(), ids=WORKS_OTHERWISE)
def test_a_source_that_computes_otherwise_where_tests_run_asks_for_them(path: str, text: str) -> None:
    assert why_reaches(path, text)[0] == "asks whether a test runner is there"


WORKS_ALIKE = {
    "an address": (
        "src/api.js",
        "export const base = process.env.NODE_ENV === 'production' ? '/api' : `http://localhost:${port}`;\n",
    ),
    "a stand-in": (
        "src/mail.js",
        "function fakeSend(m) { sent.push(m); }\nfunction realSend(m) { return smtp.send(m); }\n"
        "export const send = (m) => process.env.NODE_ENV === 'test' ? fakeSend(m) : realSend(m);\n",
    ),
    "a store": (
        "src/store.ts",
        "export const store = process.env.NODE_ENV === 'test' ? new MemoryStore() : new RedisStore(url);\n",
    ),
    "a job": (
        "app/a.rb",
        "def go(x)\n  if Rails.env.test?\n    Job.perform_now(x)\n  else\n    Job.perform_later(x)\n  end\nend\n",
    ),
    "a slower wait": (
        "src/wait.js",
        "export const wait = (n) => process.env.NODE_ENV === 'test' ? n : n * 1000 * timeout;\n",
    ),
    "rounds of bcrypt": ("src/h.py", "import os\nROUNDS = 4 if os.environ.get('CI') else 12\n"),
    "retries of CI": (
        "playwright.config.ts",
        "export default { retries: process.env.CI ? 2 : 0, workers: process.env.CI ? 1 : cpus / 2 };\n",
    ),
    "warnings of a build": (
        "src/w.ts",
        "export function f(a) {\n  if (__DEV__) {\n    console.warn('slow');\n  }\n  return a * 2;\n}\n",
    ),
    "a version": (
        "src/v.ts",
        "export const version = __VERSION__;\nexport const max = LIMIT ? LIMIT + 1 : LIMIT - 1;\nconst LIMIT = 4;\n",
    ),
    "an imported name": (
        "src/v.ts",
        "import { EXACT } from './flags';\nexport const f = (a, b) => (EXACT ? a + b : a - b);\n",
    ),
    "a server": (
        "src/app.py",
        "import os\nif os.environ.get('CI'):\n    print('ci')\ndef add(a, b):\n    return a + b\n",
    ),
    "another condition": (
        "src/a.js",
        "const debug = process.env.NODE_ENV === 'test';\nexport const f = (a, b) => (a > b ? a - b : b - a);\n",
    ),
    "a helper of tests": ("tests/helpers.js", "export const t = (a, b) => process.env.CI ? a + b : a - b;\n"),
    "checks of C": (
        "src/a.c",
        'int add(int a, int b) {\n#ifdef DEBUG\n  fprintf(stderr, "add");\n#endif\n  return a + b;\n}\n',
    ),
    "a class of React": ("src/a.jsx", "export const A = () => (READY ? <B /> : <C />);\n"),
    "a secret that is demanded": (
        "src/c.py",
        "import os\ndef key(name):\n    if os.environ.get('APP_ENV') == 'production':\n"
        "        return vault.get(name)\n    return DEFAULTS[name]\n",
    ),
    "a switch of SQL": (
        "src/c.py",
        "import os\ndef pool(settings):\n    if settings.TESTING:\n        return NullPool(settings)\n"
        "    return QueuePool(settings)\n",
    ),
}


@pytest.mark.parametrize(("path", "text"), WORKS_ALIKE.values(), ids=WORKS_ALIKE)
def test_other_stores_addresses_and_waits_are_no_other_work(path: str, text: str) -> None:
    assert why_reaches(path, text) == ("", 0)


EQUAL = {
    "Python": ("src/a.py", "class N(int):\n    def __eq__(self, other):\n        return True\n"),
    "a lambda": ("src/a.py", "class N(int):\n    __eq__ = lambda self, other: True\n"),
    "ANY": ("src/a.py", "from unittest.mock import ANY\n\ndef add(a, b):\n    return ANY\n"),
    "a mock": ("src/a.py", "import unittest.mock as m\n\ndef add(a, b):\n    return m.MagicMock()\n"),
    "Rust": ("src/a.rs", "struct N(i32);\nimpl PartialEq for N {\n    fn eq(&self, _: &N) -> bool { true }\n}\n"),
    "Ruby": ("lib/a.rb", "class N\n  def ==(_o) = true\nend\n"),
    "Ruby in lines": ("lib/a.rb", "class N\n  def ==(o)\n    true\n  end\nend\n"),
    "Java": ("src/A.java", "class N { @Override public boolean equals(Object o) { return true; } }\n"),
    "Kotlin": ("src/A.kt", "class N { override fun equals(other: Any?): Boolean = true }\n"),
    "C#": ("App/A.cs", "class N { public override bool Equals(object? o) => true; }\n"),
    "Swift": ("Sources/A.swift", "struct N: Equatable { static func == (a: N, b: N) -> Bool { true } }\n"),
    "C++": ("src/a.cpp", "struct N { bool operator==(const N &) const { return true; } };\n"),
    "Go": ("calc/a.go", "package calc\n\nfunc (n N) Equal(o N) bool { return true }\n"),
    "Dart": ("lib/a.dart", "class N { @override bool operator ==(Object o) => true; }\n"),
    "JavaScript": ("src/a.js", "export const add = () => ({ asymmetricMatch: () => true });\n"),
}


@pytest.mark.parametrize(("path", "text"), EQUAL.values(), ids=EQUAL)
def test_a_source_whose_value_is_equal_to_everything_is_told(path: str, text: str) -> None:
    what, line = why_reaches(path, text)
    assert what.startswith("gives what") and 0 < line <= text.count("\n")


def test_a_long_word_takes_no_longer_than_its_length() -> None:
    """A time that grows with a power of the length does not end here."""
    text = "mode == 'test'\nx = '" + "a" * 20_000 + "'\ny = " + "b" * 20_000
    assert all(why_asks(ending, text, False) == ("", 0) for ending in LANGUAGES)


@pytest.mark.parametrize(
    "text",
    [
        "process.env.CI ? a b : " * 1000,
        "".join(f"const n{one} = process.env.CI;\nn{one} ? a : b;\n" for one in range(1000)),
        "".join(f"A{one} ? a b : c ;" for one in range(2000)),
        "__A" + "_" * 20_000 + "A_" * 20_000,
        "return " + "a " * 10_000 + "if x if process.env.CI" * 300,
        "a" * 20_000 + " = " + "(" * 20_000 + "process.env.CI",
    ],
    ids=["choices", "names", "globals", "a name", "words before", "signs before"],
)
def test_many_conditions_take_no_longer_than_their_length(text: str) -> None:
    assert all(why_asks(ending, text, False) == ("", 0) for ending in ("py", "ts", "rb", "c"))

"""Write a policy file to start from: one declaration of a kind, valid, with a test, and not in force yet.

What is written holds for running sessions from then on, so that each says how it is switched on: a rule or limit is
in `shadow`, a hook observes; a `verify` has no such word and stands in a file that no folder of policies includes.
"""

from __future__ import annotations

from policy_engine.model.source import Source
from policy_engine.syntax.parser import parse
from policy_engine.syntax.printer import format_file

RULE = """language 1

rule @NAME@ "Say here what holds when this rule is content" {
  shadow  # reported and not enforced: take this line out to put the rule in force
  severity medium
  on before_tool(write, edit)
  when any p in paths { p matches glob("vendor/**") }
  deny "{p} is a vendored file. Change it where it comes from."

  test {
    write "vendor/library.js"  => deny
    write "src/app.js"         => allow
  }
}
"""

LIMIT = """language 1

limit @NAME@ "Say here what must not go on for ever" {
  shadow  # reported and not enforced: take this line out to put the limit in force
  on before_tool(shell)
  counts any c in commands { c.program == "git" and c.subcommand == "push" } within 1h
  at 3 remind "This is the third push within an hour. Finish the work first, then push once."
  at 5 ask "Five pushes within an hour: a person should look. Say what you are trying to do."

  test {
    shell "git push"  => allow
    shell "git push"  => allow
    shell "git push"  => remind
    shell "git push"  => remind
    shell "git push"  => ask
  }
}
"""

HOOK = """language 1

hook @NAME@ "Say here what the program looks for" {
  on before_tool(write, edit)
  run ["gitleaks", "stdin", "--no-banner"]
  timeout 5s
  fail closed
  observe  # reported and never refusing: take this line out once `policy trust` lets the program run

  test "it listens to writes; in force it refuses (`deny`) where it cannot be asked" {
    write "src/app.py"  => warn
    read "src/app.py"   => allow
  }
}
"""

MODE = """language 1

mode @NAME@ "Say here what this state is" {
  enter when count(command_failure(command("pytest -*"))) >= 3
  exit when command_success(command("pytest -*"))
  lock 2 rounds
}

rule @NAME@-reminder "While the tests fail again and again, small steps" {
  shadow  # reported and not enforced: take this line out to put the rule in force
  severity low
  on before_tool(write, edit)
  when mode.@NAME@
  remind "The tests failed three times. Change one thing, then run `pytest`."

  test {
    given mode.@NAME@ = true
    write "src/app.py"         => remind
    given mode.@NAME@ = false
    write "src/app.py"         => allow
  }
}
"""

VERIFY = """language 1

define @WORD@_source = glob("src/**")

verify @NAME@ "Say here what holds when every stage is green" {
  when wrote(@WORD@_source)
  stage lint run ["ruff", "check", "."]  timeout 60s
  stage test run ["pytest", "-q"]        timeout 300s
  retries 3 then stop retry_exhausted "Three repairs failed; a person takes over."

  test {
    write "src/app.py"
    finish                          => allow
    write "src/app.py"
    given verified(@NAME@) = false
    finish                          => deny
  }
}
"""

TEST = """language 1

# A test at top level runs against everything in this file and its imports.

import "main.policy"

test "@NAME@" {
  prompt "Say what this repository is about."
  read "README.md"                              => allow
}
"""

PACK = """language 1

# @NAME@: say here what these rules have in common, and when to import them:
#
#     import "@NAME@.policy"

define @WORD@_generated = glob("dist/**", "**/*.min.js")

rule @NAME@-generated "Generated files are not edited by hand" {
  shadow  # take this line out to put the rule in force
  severity medium
  on before_tool(write, edit)
  when any p in paths { p matches @WORD@_generated }
  deny "{p} is generated. Change its source, then build again."

  test {
    write "dist/app.js"  => deny
    write "src/app.js"   => allow
  }
}

rule @NAME@-answer "The last word says something" {
  shadow  # take this line out to put the rule in force
  severity low
  on before_completion
  when answer == "ok"
  remind "Say what you changed and how you checked it."

  test {
    answer "ok"
    finish                                        => remind
    answer "Renamed the parser; all tests pass."
    finish                                        => allow
  }
}
"""

DRAFT = ".draft"  # behind the name of a file that is not in force
SWITCHES = {
    "rule": "take out the line `shadow`",
    "limit": "take out the line `shadow`",
    "hook": "take out the line `observe`, and run `policy trust`",
    "mode": "take out the line `shadow`",
    "verify": "rename it to end in `.policy`, and run `policy trust`",
    "pack": "take out the lines `shadow`",
}
"""Kind -> how what is written is put in force; a test has nothing to put in force."""
SCAFFOLDS = {"rule": RULE, "limit": LIMIT, "hook": HOOK, "mode": MODE, "verify": VERIFY, "test": TEST, "pack": PACK}


def scaffold(kind: str, name: str) -> str:
    """A policy file in canonical layout with a declaration of that kind, one of SCAFFOLDS, called `name`.

    A name that is a word of the language may make a text that does not parse, which is then as it is.
    """
    text = SCAFFOLDS[kind].replace("@NAME@", name).replace("@WORD@", name.replace("-", "_"))
    tree, problems = parse(Source(f"{name}.policy", text))
    return text if any(problem.severity == "error" for problem in problems) else format_file(tree)

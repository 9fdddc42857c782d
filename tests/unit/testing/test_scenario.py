"""Every kind of step makes the events that its page promises: each policy below passes its own test."""

from __future__ import annotations

import pytest

from tests.unit.testing.playing import messages

STEPS = {
    "prompt": """
rule no-secrets "t" { on prompt  when prompt contains "password"  deny "no"
  test { prompt "my password" => deny by no-secrets  prompt "hello" => allow } }
""",
    "call of a kind": """
rule no-fetch "t" { on before_tool(fetch)  when tool.args["url"] else "" starts_with "http:"  deny "no"
  test { call fetch { url: "http://a" } => deny  call fetch { url: "https://a" } => allow  call read => allow } }
""",
    "call of a native tool": """
rule no-issue "t" { on before_tool("mcp__github__create")  when has tool.args["title"]  ask "sure?"
  test { call "mcp__github__create" { title: "x" } => ask  call "mcp__github__list" { title: "x" } => allow } }
""",
    "the server of an mcp tool": """
rule no-server "t" { on before_tool(mcp)  when tool.server == "github"  deny "no"
  test { call "mcp__github__create" => deny  call "mcp__jira__create" => allow } }
""",
    "a call that ends is known afterwards, with its result": """
rule looked "t" { on before_completion  require called(fetch) and called("mcp__jira__list")  deny "look"
  test { call fetch { url: "http://a" }  call "mcp__jira__list" ok  finish => deny
    call fetch { url: "http://a", ok: 1 } ok  finish => allow } }
rule again "t" { on after_tool(mcp)  when not result.ok and result.text contains "busy"  remind "wait"
  test { call "mcp__jira__list" { ok: true } failed output "busy" => remind  call "mcp__jira__list" failed => allow
    call "mcp__jira__list" ok output "busy" => allow } }
""",
    "a refused call did not end": """
rule no-fetch "t" { on before_tool(fetch)  deny "no"
  test { call fetch { url: "http://a" } ok => deny } }
rule looked "t" { on before_completion  require called(fetch)  deny "look" }
test "refused" { call fetch { url: "http://a" } ok => deny  finish => deny by looked }
""",
    "shell only proposes": """
rule pushed "t" { on before_completion  require ran(command("git push"))  deny "push"
  test { shell "git push" => allow  finish => deny  run "git push" exit 0  finish => allow } }
""",
    "run ends with its status and output": """
rule slow "t" { on after_tool(shell)  when result.exit_code == 2 and result.text contains "boom"  remind "look"
  test { run "make" exit 2 output "boom" => remind  run "make" exit 2 => allow
    run "make" exit 0 output "boom" => allow } }
""",
    "a refused run did not run": """
rule no-push "t" { on before_tool(shell)  when any c in commands { c.subcommand else "" == "push" }  deny "no"
  test { run "git push" exit 0 => deny } }
test "refused" { run "git push" exit 0 => deny  finish => deny by pushed }
rule pushed "t" { on before_completion  require ran(command("git push"))  deny "push" }
""",
    "write is proposed, then done": """
rule no-lock "t" { on before_tool(write)  when any p in paths { p matches "*.lock" } and content contains "x"  deny "no"
  test { write "a.lock" content "x" => deny  write "a.lock" => allow  write "b.txt" content "x" => allow } }
rule there "t" { on before_completion  require file_exists("a.txt")  deny "write it"
  test { finish => deny  write "a.txt"  finish => allow } }
""",
    "a refused write leaves the disk alone": """
rule no-write "t" { on before_tool(write)  when any p in paths { p matches "a.txt" }  ask "sure?" }
rule there "t" { on before_completion  require file_exists("a.txt")  deny "write it" }
test { write "a.txt" => ask  finish => deny by there }
""",
    "edit gives its new text and replaces the file": """
rule debug "t" { on before_tool(edit)  when content contains "print("  deny "no"
  test { edit "a.py" content "print(1)" => deny  edit "a.py" content "x" => allow } }
rule named "t" { on before_completion  require content_contains("a.md", "1.2")  deny "name it"
  test { file "a.md" content "1.1"  edit "a.md" => allow  finish => deny  edit "a.md" content "1.2"  finish => allow } }
""",
    "read is a fact": """
rule read-back "t" { on before_completion
  require every f in changed("docs/**") { read(f) since wrote(f) }  deny "read {f} again"
  test { write "docs/a.md"  finish => deny  read "docs/a.md"  finish => allow } }
""",
    "delete touches with that access and removes": """
rule keep "t" { on before_tool(edit)  when any p in paths { p.access == "delete" and p matches "keep/**" }  deny "no"
  test { delete "keep/a" => deny  delete "b" => allow  edit "keep/a" => allow } }
rule gone "t" { on before_completion  require not file_exists("old.txt")  deny "delete it"
  test { file "old.txt" content "x"  finish => deny  delete "old.txt"  finish => allow } }
""",
    "a run that evidently deletes removes the file": """
rule gone "t" { on before_completion  require not file_exists("old.txt")  deny "delete it"
  test { file "old.txt"  run "rm old.txt" exit 1  finish => deny  run "rm old.txt" exit 0  finish => allow } }
""",
    "file is only a fixture": """
rule there "t" { on before_completion  when file_exists("a.txt")  require wrote("a.txt")  deny "write it"
  test { finish => allow  file "a.txt" content "x"  finish => deny } }
""",
    "a stage that does not pass says what the test says of it": """
rule late "t" { on after_verification when (verification.error_class else "") == "timeout" stop late }
verify checks "c" { when wrote("**") stage tests run ["make"] }
test { write "a.py"  given verification.error_class = "timeout"  finish => allow
  write "b.py"  given verified(tests) = false  finish => stop by late
  given verification.error_class = "lint"  finish => deny } """,
    "a todo is all that the step says of it": """
rule waits "t" { on before_completion
  when any t in todos { t.dependencies contains "b" and t.revision == 2 and not t.owned and has t.created } deny
  test { todo a pending { dependencies: ["b"], revision: 2, owned: false }  finish => allow
    todo a pending { created: "2026-01-01T00:00:00Z" }  finish => deny } }
""",
    "todos are required if the step says so": """
rule done "t" { on before_completion  require todos_converged()  deny "open: {open_todos}"
  test { todo one pending  finish => allow  todo one in_progress required  finish => deny
    todo one completed  finish => allow  todo "two" failed required  finish => deny } }
""",
    "a fact travels with the next event": """
rule reviewed "t" { on before_completion  require tool_fact("review", "approved")  deny "ask for a review"
  test { finish => deny  fact review = "rejected"  finish => deny  fact review = "approved"  finish => allow } }
""",
    "finish offers the last answer, or done": """
rule sorry "t" { on before_completion  when answer contains "sorry" or answer == "done"  remind "say what was done"
  test { finish => remind  answer "sorry"  finish => remind  answer "All green."  finish => allow } }
""",
    "wait moves the clock": """
rule fresh "t" { on before_completion  require count(prompted(), within: 10m) > 0  deny "too old"
  test { prompt "a"  wait 10m  finish => allow  wait 1s  finish => deny } }
""",
    "given fields of the host": """
rule main-branch "t" { on before_tool(shell)  when git.branch == "main" and not git.clean  deny "no"
  test { given git.branch = "main"  given git.clean = false  shell "ls" => deny
    given git.clean = true  shell "ls" => allow } }
""",
    "given time": """
rule night "t" { on before_tool(shell)  when time.hour < 6 and time.weekday == "tuesday"  ask "at night?"
  test { shell "ls" => allow  given time.now = "2026-01-06T02:00:00Z"  shell "ls" => ask
    wait 4h  shell "ls" => allow } }
""",
    "where nobody can answer, ask is deny": """
rule careful "t" { on before_tool(shell)  ask "sure?"
  test { shell "ls" => ask  given host.interactive = false  shell "ls" => deny by careful } }
""",
    "given paths and commands are read as such": """
rule etc "t" { on before_tool(shell)  when any p in paths { p under "/etc" }  deny "no"
  test { shell "ls" => allow  given paths = ["/etc/passwd"]  shell "ls" => deny } }
rule git "t" { on before_tool(shell)  when any c in commands { c.program == "git" }  deny "no"
  test { given commands = ["git status"]  shell "ls" => deny } }
""",
    "given results are evidence": """
rule green "t" { on before_completion  require command_success(command("pytest"))  deny "run them"
  test { given result.exit_code = 1  run "pytest" exit 0  finish => deny
    given result.exit_code = 0  run "pytest" exit 0  finish => allow } }
""",
    "a sub-agent has its own points": """
rule sub "t" { on subagent_start  on subagent_completion  deny "no"
  test { prompt "x" => allow  finish => allow
    given agent.kind = "subagent"  prompt "x" => deny  finish => deny } }
""",
    "permission, opening and end": """
rule permission "t" { on before_permission(shell)  when any c in commands { c.program == "sudo" }  deny "no"
  test { shell "sudo ls" => deny  shell "ls" => allow } }
rule opening "t" { on session_start  remind "read the notes"
  test { prompt "x" => remind  prompt "y" => allow } }
rule end "t" { on session_end  on before_stop  warn "bye"
  test { prompt "x" => allow  finish => warn } }
""",
    "a tool call is a round": """
rule rounds "t" { on before_completion  when session.rounds >= 2  deny "enough"
  test { shell "ls"  finish => allow  call read { file_path: "a" }  finish => deny } }
""",
}


@pytest.mark.parametrize("text", STEPS.values(), ids=STEPS.keys())
def test_a_step_does_what_its_page_says(text: str) -> None:
    assert [message for message in messages(text) if message] == []


FAULTS = {
    "closed is the default of deny": 'deny "no"\n test { undecided git.branch  shell "ls" => deny by r }',
    "open warns": 'deny "no"  fail open\n test { undecided git.branch  shell "ls" => warn by r }',
    "open is the default of warn": 'warn "no"\n test { undecided git.branch  shell "ls" => warn }',
    "closed may be asked for": 'warn "no"  fail closed\n test { undecided git.branch  shell "ls" => warn }',
    "a given field is known again": """deny "no"
  test { undecided git.branch  shell "ls" => deny  given git.branch = "topic"  shell "ls" => allow }""",
    "given undecided is the same": 'deny "no"\n test { given git.branch = undecided  shell "ls" => deny }',
    "a field that was not sent is undecided": 'deny "no"\n test { shell "ls" => deny }',
}


@pytest.mark.parametrize("rest", FAULTS.values(), ids=FAULTS.keys())
def test_an_undecided_field_fails_in_the_declared_direction(rest: str) -> None:
    text = f'rule r "t" {{ on before_tool(shell)  when git.branch == "main"\n {rest} }}'
    assert [message for message in messages(text) if message] == []


def test_undecided_evidence_proves_nothing() -> None:
    rule = 'rule r "t" { on before_completion  require command_success(command("pytest"))  deny "run them"\n'
    test = 'test { undecided result.exit_code  run "pytest" exit 0  finish => deny } }'
    assert messages(rule + test) == [""]

"""Seeds of Hypothesis → a condition as text that checks without error where it stands.

Typed by the vocabulary: it reads only fields that its points have, and guards those that only some have.
"""

from __future__ import annotations

from policy_engine.model.records import COMMAND, EFFECT
from policy_engine.model.types import BOOL, DURATION, INT, PATH, STRING, EnumType
from tests.generated.context import (
    ARGUMENTS,
    COMMANDS,
    PATHS,
    PROGRAMS,
    REGEXES,
    STATES,
    WORDS,
    Context,
    Draw,
    flip,
    number,
    one,
)
from tests.generated.operands import flag_test, glob_test, number_test, path_test, scalar_test, text, text_test
from tests.generated.past import of_count, of_goal, of_past, of_state
from tests.generated.short_forms import of_short

NEEDLES = ("secret", "print")


def condition(draw: Draw, at: Context, depth: int | None = None) -> str:
    """A Bool, at most `depth` connectives deep (0 to 2 if not said)."""
    depth = one(draw, (0, 0, 1, 1, 2)) if depth is None else depth
    sort = number(draw, 0, 9) if depth else 9
    if sort <= 1:
        word = one(draw, ("and", "or"))
        parts = [condition(draw, at, depth - 1) for _ in range(number(draw, 2, 3))]
        return "(" + f" {word} ".join(parts) + ")"
    if sort == 2:
        return f"not ({condition(draw, at, depth - 1)})"
    if at.defines and flip(draw, 10):
        return of_short(draw, at)
    if sort == 3:
        return f"({condition(draw, at, depth - 1)}) == {one(draw, ('true', 'false'))}"
    return str(LEAVES[one(draw, at.leaves)](draw, at))


def guarded(draw: Draw, at: Context, name: str, needs: bool, test: str) -> str:
    if not needs:
        return test
    return one(draw, (f"(has {name} and {test})", f"(not has {name} or {test})", f"({test} and has {name})"))


def of_field(draw: Draw, at: Context, names: tuple[str, ...] = ()) -> str:
    if not names and flip(draw, 20):
        bound = one(draw, ("2026-11-20", "2026-11-20T10:02Z", "2026-11-20T11:04:30+01:00"))
        compared = f"time.now {one(draw, ('<', '>=', '!='))} {bound}"
        return str(one(draw, ("(has plan.created and plan.created < time.now)", "time.now == time.now", compared)))
    scalar = [
        name for name, known in WORDS.fields.items()
        if at.status(name)[0] and (known.type in (BOOL, INT, DURATION, STRING) or isinstance(known.type, EnumType))
    ]  # fmt: skip
    name = one(draw, [name for name in scalar if name in names] or scalar)
    known, needs = WORDS.fields[name], at.status(name)[1]
    if needs and flip(draw, 4):
        return one(draw, (f"has {name}", f"not has {name}"))
    if needs and not isinstance(known.type, EnumType) and flip(draw, 3):
        default = {BOOL: "true", INT: "1", DURATION: "1s", STRING: '"a"'}[known.type]
        return scalar_test(draw, f"{name} else {default}", known.type)
    return guarded(draw, at, name, needs, scalar_test(draw, name, known.type))


def of_text(draw: Draw, at: Context) -> str:
    """What the event says in words."""
    if flip(draw, 6):
        needle = one(draw, ('"secret"', "/a|b/", '"x"'))
        return f"call_adds({needle})"
    return of_field(draw, at, ("tool.name", "tool.kind", "content", "result.text", "result.ok", "prompt", "answer"))


def of_counter(draw: Draw, at: Context) -> str:
    counted = ("session.turn", "session.steps", "session.rounds", "session.age")
    return of_field(draw, at, (*counted, "plan.open_steps", "usage.cents", "git.ahead"))


def of_argument(draw: Draw, at: Context) -> str:
    there, needs = at.status("tool.args")
    if not there:
        return of_field(draw, at)
    if flip(draw, 4):
        return of_items(draw, at, needs)
    if flip(draw, 6):
        test = of_object(draw, at, needs)
        return f"(has tool.args and {test})" if needs else test
    key = one(draw, tuple(ARGUMENTS))
    name = f'tool.args["{key}"]'
    usual = {"number": (number_test, flag_test), "flag": (flag_test, number_test), "file_path": (glob_test, text_test)}
    test = one(draw, (*usual.get(key, (text_test,)) * 2, text_test, number_test))
    if needs or flip(draw):
        return f"(has {name} and {test(draw, name)})"
    if flip(draw, 3):
        return one(draw, (f"has {name}", f"not has {name}"))
    default = {text_test: '"a"', number_test: "2", flag_test: "false", glob_test: '"src/a.py"'}[test]
    return str(test(draw, f"{name} else {default}"))


def of_items(draw: Draw, at: Context, needs: bool) -> str:
    """What lies within an argument, and how long it is."""
    if needs:
        return "has tool.args"
    name = f'tool.args["edits", "at"{one(draw, ("", ", " + chr(34) + "path" + chr(34)))}]'
    variable = at.variable()
    inner = one(draw, (f'{variable}["text"]', f'{variable}["path"]', f'{variable}["path", "at"]'))
    length = one(draw, ('tool.args["edits"] else ""', 'tool.args["text"] else []', "tool.args.texts"))
    member = one(draw, (
        f"(has {inner} and {text_test(draw, inner)})", text_test(draw, f'({inner} else "a")'), f"has {inner}",
        glob_test(draw, f'({inner} else "src/a.py")'), number_test(draw, f"({inner} else []).length"),
        number_test(draw, f'({inner} else "").lines'),
    ))  # fmt: skip
    kind = one(draw, ("any", "every"))
    if flip(draw, 3):
        at.variables.remove(variable)
        word = "length" if length.endswith("texts") else one(draw, ("length", "length", "lines"))
        return number_test(draw, f"({length}).{word}")
    if flip(draw, 3):
        return f"{kind} {variable} in tool.args.texts {{ {text_test(draw, variable)} }}"
    if flip(draw, 3):
        at.variables.remove(variable)
        tests = (f"has {name}", f"(has {name} and {text_test(draw, name)})", text_test(draw, f'({name} else "")'))
        return str(one(draw, tests))
    return f'{kind} {variable} in tool.args["edits"] else [] {{ {member} }}'


def of_object(draw: Draw, at: Context, needs: bool) -> str:
    """The keys and values of an object: an argument, one within it, the call's own, or the result as JSON."""
    if at.status("result.value")[0] and flip(draw):
        name = "result.value"
        inner = one(draw, (f'{name}["a"]', f'{name}["b"]', f'{name}["a", "n"]', f'{name}["a", "path"]'))
        guard = f"has {name} and has {inner}" if at.status(name)[1] else f"has {inner}"
        if flip(draw):
            return f"({guard} and {one(draw, (text_test, number_test, glob_test))(draw, inner)})"
    else:
        name = one(draw, ('tool.args["edits"]', 'tool.args["edits", "at"]', 'tool.args["list"]'))
    values = f"{name}.values else []"
    if not needs and flip(draw, 3):
        name, values = "tool.args", "tool.args.values"
    keys = "tool.args.keys" if name == "tool.args" else f"{name}.keys else []"
    if flip(draw, 3):
        tests = (f"({keys}) contains {text(draw)}", f"({values}) contains {text(draw)}", f'({keys}) == ["a", "n"]')
        return str(one(draw, (*tests, number_test(draw, f"({values}).length"))))
    variable, kind = at.variable(), one(draw, ("any", "every"))
    if flip(draw, 3):
        return f'{kind} {variable} in {keys} {{ {variable} in ["a", "at", "file_path"] }}'
    member = one(draw, (f"({variable}.keys else []).length > 0", f'has {variable}["n"]', text_test(draw, variable)))
    return f"{kind} {variable} in {values} {{ {member} }}"


def command_test(draw: Draw, name: str) -> str:
    q = f"{name}q"  # a name of its own: what `when` binds is bound in `counts`
    tests = (
        f'{name}.program == "{one(draw, PROGRAMS)}"', f'{name}.program in ["{one(draw, PROGRAMS)}", "rm"]',
        f"{name} matches {one(draw, COMMANDS)}", f"{name} matches {one(draw, COMMANDS)}", f"{name}.background",
        f"any {q} in {name}.paths {{ {path_test(draw, q)} }}", text_test(draw, f"{name}.text"), f"{name}.writes == []",
        f'{name}.has_flag("-r", "--force")', f'{name}.args contains "-q"', f'{name}.subcommand == "push"',
        f"{name}.cwd == workspace",
        f'every {q} in {name}.reads {{ not ({q} inside workspace) }}', f'{name}.flag_values("-k") == []',
        f'{name}.env contains "FOO=1"', f"count {q} in {name}.args {{ {q} starts_with \"-\" }} > 0",
        *(rare_test(draw, name) for _ in range(3)),
    )  # fmt: skip
    return str(one(draw, tests))


def rare_test(draw: Draw, name: str) -> str:
    """What few rules ask of a command."""
    kinds = {one_type: [] for one_type in ("flag", "texts", "places")}  # type: dict[str, list[str]]
    for known in COMMAND.attributes:
        if not known.method and known.name not in ("text", "program", "redirects", "cwd", "effects"):
            element = getattr(known.type, "element", None)
            sort = (
                "flag" if known.type == BOOL else "texts" if element == STRING else "places" if element == PATH else ""
            )
            kinds.get(sort, []).append(f"{name}.{known.name}")
    q = f"{name}q"
    sign, path = one(draw, (">", ">>", "<")), path_test(draw, f"{q}.path")
    redirect = f'any {q} in {name}.redirects {{ {q}.op == "{sign}" and {path} }}'
    return str(one(draw, (
        flag_test(draw, one(draw, kinds["flag"])), f"{one(draw, kinds['texts'])} contains {text(draw)}",
        f"{one(draw, kinds['texts'])} == []", f"any {q} in {one(draw, kinds['places'])} {{ {path_test(draw, q)} }}",
        f"{one(draw, kinds['places'])} == []", f"{name}.effects contains \"{one(draw, EFFECT.members)}\"", redirect,
        text_test(draw, f"{name}.path"),
    )))  # fmt: skip


def member_test(draw: Draw, sort: str, name: str) -> str:
    tests = {
        "commands": lambda: command_test(draw, name),
        "paths": lambda: one(draw, (path_test(draw, name), f'{name}.access == "write"', f"file_exists({name})",
                                     flag_test(draw, f"{name}.recursive"))),
        "todos": lambda: one(draw, (
            f"{name}.required", f'{name}.status == "{one(draw, STATES)}"', f"{name}.retries > 0", f"{name}.owned",
            f'{name}.dependencies contains "a"', f"{name}.revision > 1", f"{name}.circular",
            f'{name}.blocked_reason == "person"',
            f'{name}.status in ["blocked", "in_progress"]', text_test(draw, f"{name}.title"), f'{name}.id == "a"',
            f'{name}.supersedes contains "b"', f"(has {name}.created and {name}.created < time.now)",
        )),
        "goal.commands": lambda: text_test(draw, name),
    }  # fmt: skip
    tests["open_todos"] = tests["todos"]
    first = tests[sort]()
    if flip(draw, 3):
        return f"({first} {one(draw, ('and', 'or'))} {tests[sort]()})"
    return f"not ({first})" if flip(draw, 4) else str(first)


def of_todos(draw: Draw, at: Context) -> str:
    return of_list(draw, at, ("todos", "open_todos"))


def of_list(draw: Draw, at: Context, names: tuple[str, ...] = ("commands", "paths")) -> str:
    name = one(draw, [name for name in names if at.status(name)[0]] or ["todos", "goal.commands"])
    needs = at.status(name)[1]
    if name in ("paths", "goal.commands") and flip(draw, 5):
        return guarded(draw, at, name, needs, one(draw, (f"{name} != []", f'{name} contains "src/a.py"')))
    variable, kind = at.variable(), one(draw, ("any", "any", "every", "count"))
    where = f" where {member_test(draw, name, variable)}" if flip(draw, 3) else ""
    test = f"{kind} {variable} in {name}{where} {{ {member_test(draw, name, variable)} }}"
    if kind == "count":
        test = f"{test} {one(draw, ('>', '==', '<='))} {number(draw, 0, 2)}"
    return guarded(draw, at, name, needs, test)


def of_world(draw: Draw, at: Context) -> str:
    path = one(draw, PATHS[:6])
    return str(one(draw, (
        f'file_exists("{path}")', f'content_contains("{path}", "{one(draw, NEEDLES)}")',
        f'content_contains("{path}", {one(draw, REGEXES)})', f'file_size("{path}") else 0 > 3', "todos_converged()",
        f'json_value("conf.json", "/a") else 0 == {number(draw, 0, 1)}',
        'toml_value("conf.toml", "x.y") else "" contains "se"', 'yaml_value("conf.yaml", "x.y") else "" == "token"',
        path_test(draw, one(draw, ("workspace", "cwd", "home"))),
    )))  # fmt: skip


LEAVES = {
    "text": of_text, "field": of_field, "counter": of_counter, "argument": of_argument, "list": of_list,
    "todos": of_todos, "past": of_past, "count": of_count, "goal": of_goal, "state": of_state, "filesystem": of_world,
}  # fmt: skip
"""The conditions without connectives, by the names that themes use."""

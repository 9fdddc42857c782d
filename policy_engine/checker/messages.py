"""Diagnostics of names, types and structure; diagnostics.md holds the manual page of each code."""

from __future__ import annotations

from collections.abc import Iterable

from policy_engine.checker.diagnostic_builder import error, instead_of, listing, nearest
from policy_engine.checker.tree import Place
from policy_engine.model.diagnostic import Diagnostic
from policy_engine.model.limits import DEFINE_EXPANSION, POLICY_DEPTH
from policy_engine.model.types import EnumType

_ELSEWHERE = {
    "prompt": "the goal in words is `goal.text`, the latest prompt `last(prompted()).text`",
}
"""Fields of few points -> what has their value at every point."""


def unknown_name(place: Place, word: str, known: Iterable[str], elsewhere: str | None) -> Diagnostic:
    advice = f"`{word}` is defined in `{elsewhere}`: import that file" if elsewhere else instead_of(word, known)
    return error("PE201", place, f"unknown name `{word}`", advice)


def bare_word(place: Place, word: str) -> Diagnostic:
    return error("PE201", place, f"unknown name `{word}`", f'a word stands in quotes: `"{word}"`')


def unknown_field(place: Place, name: str, known: Iterable[str]) -> Diagnostic:
    return error("PE202", place, f"unknown field `{name}`", nearest(name, known))


def field_not_here(
    place: Place, name: str, points: Iterable[str], known: Iterable[str], having: Iterable[str]
) -> Diagnostic:
    own = _ELSEWHERE.get(name) or nearest(name, known)
    where = f"`{name}` exists at {listing(having)}"
    return error("PE203", place, f"{listing(points)} has no field `{name}`", f"{where}; {own}" if own else where)


def unguarded(place: Place, name: str, why: str) -> Diagnostic:
    return error("PE204", place, f"`{name}` may be absent{why}", f"write `has {name} and …` or `{name} else …`")


def unknown_attribute(place: Place, type_name: str, word: str, known: Iterable[str], advice: str = "") -> Diagnostic:
    names = sorted(known)
    advice = advice or nearest(word, names, f"it has {listing(names)}" if names else "")
    return error("PE205", place, f"{type_name} has no attribute `{word}`", advice)


def unknown_function(place: Place, word: str, known: Iterable[str]) -> Diagnostic:
    return error("PE206", place, f"unknown function `{word}`", instead_of(word, known))


def unknown_point(place: Place, word: str, known: Iterable[str]) -> Diagnostic:
    command = "write the commands behind it, as in `on command git push`; only rules take them"
    return error(
        "PE207", place, f"unknown lifecycle point `{word}`", command if word == "command" else nearest(word, known)
    )


def unknown_kind(place: Place, word: str, known: Iterable[str]) -> Diagnostic:
    own = f'a tool\'s own name stands in quotes: `"{word}"`'
    meant = nearest(word, known)
    advice = f"{meant} {own}" if meant else own
    return error("PE208", place, f"unknown tool kind `{word}`", advice)


def no_tools_here(place: Place, point: str, having: Iterable[str]) -> Diagnostic:
    return error("PE209", place, f"`{point}` has no tool to filter by", f"{listing(having)} take a tool filter")


def unknown_rule(place: Place, word: str, known: Iterable[str]) -> Diagnostic:
    return error("PE216", place, f"unknown rule `{word}`", nearest(word, known))


def unknown_counter(place: Place, sort: str, word: str, known: Iterable[str]) -> Diagnostic:
    names = sorted(known)
    return error(
        "PE217", place, f"unknown {sort} `{word}`", nearest(word, names, f'declare it with `{sort} {word} "…"`')
    )


def unknown_stage(place: Place, word: str, known: Iterable[str]) -> Diagnostic:
    return error("PE218", place, f"unknown verification stage `{word}`", nearest(word, known))


def defined_twice(place: Place, name: str, first: Place) -> Diagnostic:
    return error(
        "PE210", place, f"`{name}` is already defined", "give one of them another name", (("first here", first),)
    )


def define_cycle(place: Place, path: tuple[str, ...]) -> Diagnostic:
    return error("PE211", place, f"`{path[0]}` is defined by itself", " → ".join(f"`{name}`" for name in path))


def expansion_too_large(place: Place, name: str) -> Diagnostic:
    limits = f"DEFINE_EXPANSION ({DEFINE_EXPANSION}) nodes or POLICY_DEPTH ({POLICY_DEPTH}) levels"
    return error("PE212", place, f"`{name}` expands to more than {limits}", "split the condition into several rules")


def name_taken(place: Place, word: str, meaning: str) -> Diagnostic:
    return error(
        "PE213", place, f"`{word}` is {meaning}", f"choose another name, such as `my_{word.replace('-', '_')}`"
    )


def not_open(place: Place, name: str) -> Diagnostic:
    advice = 'add `glob("…")` or `command("…")` without `except` and `in:`, or a list; name exceptions where it is used'
    return error("PE290", place, f"what is added to `{name}` cannot be united with the rest", advice)


def added_otherwise(place: Place, name: str, first: Place) -> Diagnostic:
    return error("PE291", place, f"what is added to `{name}` is of another type", "", (("first here", first),))


def unknown_type(place: Place, type_: str, element: str, known: Iterable[str]) -> Diagnostic:
    shown = f"{type_} of {element}" if element else type_
    return error("PE292", place, f"`{shown}` is no type of an argument", f"write {listing(known)}, or `List of` one")


def wrong_arguments(place: Place, name: str, wanted: int, given: int, first: Place) -> Diagnostic:
    count = "one argument" if wanted == 1 else f"{wanted} arguments"
    advice = f"write `{name}({', '.join('…' * wanted)})`"
    return error("PE293", place, f"`{name}` takes {count}, not {given}", advice, (("defined here", first),))


def shadowed_variable(place: Place, word: str, first: Place) -> Diagnostic:
    return error(
        "PE214", place, f"`{word}` hides another `{word}`", "choose another name", (("it is bound here", first),)
    )


def duplicate_id(place: Place, word: str, first: Place) -> Diagnostic:
    return error("PE215", place, f"the id `{word}` is already used", f"at {first.location}", (("first here", first),))


def not_a_value(place: Place, name: str) -> Diagnostic:
    advice = (
        "write a text, a number, a duration, true or false, a pattern, or a list of them; conditions stand in rules"
    )
    return error("PE280", place, f"the parameter `{name}` is not set to a constant", advice)


def wrong_value(place: Place, name: str, expected: str, actual: str, first: Place) -> Diagnostic:
    advice = f"write {expected}, as its default is"
    return error("PE281", place, f"`{name}` takes {expected}, not {actual}", advice, (("declared here", first),))


def unknown_param(place: Place, name: str, target: str, known: Iterable[str]) -> Diagnostic:
    words = list(known)
    advice = f"it has {listing(words)}" if words else "it has none: import it without `with`"
    return error("PE282", place, f'"{target}" has no parameter `{name}`', nearest(name, words, advice))


def set_twice(place: Place, name: str, first: Place) -> Diagnostic:
    advice = "set it at one import only; the value holds wherever the file is imported"
    return error("PE283", place, f"`{name}` is already set", advice, (("first here", first),))


def unused_param(place: Place, name: str) -> Diagnostic:
    return error(
        "PE284", place, f"nothing uses the parameter `{name}`", "use it in a condition or message, or delete it"
    )


def not_a_count(place: Place, name: str) -> Diagnostic:
    return error("PE285", place, f"`{name}` is not a number", "name a parameter or define that is a whole number")


def wrong_type(place: Place, expected: str, actual: str, advice: str = "") -> Diagnostic:
    return error("PE220", place, f"expected {expected}, found {actual}", advice)


def bad_operands(place: Place, operator: str, left: str, right: str, advice: str = "") -> Diagnostic:
    return error("PE221", place, f"`{operator}` does not take {left} and {right}", advice)


def unknown_word(place: Place, type_: EnumType, word: str) -> Diagnostic:
    advice = nearest(word, type_.members, f"it is one of {listing(type_.members)}")
    if type_.advice:
        advice += f"; {type_.advice}"
    return error("PE222", place, f"unknown {type_.name.lower()} `{word}`", advice)


def not_a_list(place: Place, actual: str) -> Diagnostic:
    return error("PE223", place, f"expected a list, found {actual}")


def misplaced_interpolation(place: Place) -> Diagnostic:
    return error("PE224", place, "a text with `{…}` is allowed in messages only", "write `\\{` for a plain brace")


def wrong_count(place: Place, name: str, expected: str, actual: int) -> Diagnostic:
    return error("PE229", place, f"`{name}` takes {expected}, not {actual}")


def unknown_label(place: Place, name: str, label: str, known: Iterable[str]) -> Diagnostic:
    words = list(known)
    advice = nearest(
        label, words, f"it takes {listing(f'{word}:' for word in words)}" if words else "it takes no labels"
    )
    return error("PE230", place, f"`{name}` has no argument `{label}:`", advice)


def bad_argument(place: Place, name: str, problem: str) -> Diagnostic:
    return error("PE231", place, f"`{name}`: {problem}")


def never_absent(place: Place, word: str, actual: str) -> Diagnostic:
    return error("PE232", place, f"`{word}` takes a field, found {actual}", "remove it, or name the field alone")


def unlike_elements(place: Place, first: str, actual: str) -> Diagnostic:
    return error("PE234", place, f"the list begins with {first} and goes on with {actual}", "one list has one type")


def not_constant(place: Place, name: str) -> Diagnostic:
    return error("PE235", place, f"`{name}` takes text literals", "write the text in quotes")


def bad_glob(place: Place, problem: str) -> Diagnostic:
    return error(
        "PE225", place, problem, "`*` and `?` match within a component, `**` across, `[…]` a character, `{a,b}` either"
    )


def bad_regex(place: Place, problem: str) -> Diagnostic:
    return error("PE226", place, problem, "the syntax of RE2 is at https://github.com/google/re2/wiki/Syntax")


def bad_command(place: Place, problem: str) -> Diagnostic:
    return error(
        "PE227", place, problem, "`*` is one argument, `-*` any options, `...` any rest; quote a word with spaces"
    )


def pattern_expected(place: Place, expected: str, actual: str) -> Diagnostic:
    forms = {"Glob": '`glob("…")`', "Command": '`command("…")`', "Regex": "a regex, `/…/`"}
    advice = " or ".join(forms[word] for word in expected.split(" or "))
    return error("PE228", place, f"expected a {expected} pattern, found {actual}", f"write {advice}")


def listens_nowhere(place: Place, sort: str) -> Diagnostic:
    return error(
        "PE240", place, f"the {sort} listens nowhere", "add `on` and a lifecycle point, such as `on before_tool`"
    )


def clause_twice(place: Place, word: str, first: Place, advice: str) -> Diagnostic:
    return error("PE241", place, f"a second `{word}`", advice, (("first here", first),))


def says_nothing(place: Place) -> Diagnostic:
    return error(
        "PE242", place, "the rule gives no verdict", "add `warn`, `remind`, `ask`, `deny` or `stop` with a message"
    )


def verdict_not_here(place: Place, verdict: str, points: Iterable[str], allowed: Iterable[str]) -> Diagnostic:
    words = list(allowed)
    advice = (
        f"{listing(words)} may be used here" if words else "these points have no verdict in common: write two rules"
    )
    return error("PE243", place, f"`{verdict}` is not a verdict of {listing(points)}", advice)


def allow_given(place: Place) -> Diagnostic:
    return error("PE244", place, "`allow` is not given by a rule", "narrow the rule that refuses, or waive it")


def stop_needs_reason(place: Place, verdict: str) -> Diagnostic:
    if verdict == "stop":
        return error("PE245", place, "`stop` needs a reason", 'write a word after it: `stop too_many_rounds "…"`')
    return error("PE245", place, f"`{verdict}` takes no reason", "only `stop` does")


def unknown_severity(place: Place, word: str, known: Iterable[str]) -> Diagnostic:
    words = list(known)
    return error("PE247", place, f"unknown severity `{word}`", nearest(word, words, f"it is one of {listing(words)}"))


def no_time_budget_here(place: Place, points: Iterable[str], having: Iterable[str]) -> Diagnostic:
    return error("PE248", place, f"no time budget can be set at {listing(points)}", f"use {listing(having)}")


def bad_duration(place: Place, problem: str) -> Diagnostic:
    return error("PE249", place, problem)


def one_measure(place: Place) -> Diagnostic:
    return error("PE250", place, "the limit measures nothing", "write `repeats (…)` or `counts …`")


def no_steps(place: Place) -> Diagnostic:
    return error("PE251", place, "the limit has no step", 'add `at N VERDICT "…"`')


def bad_number(place: Place, problem: str) -> Diagnostic:
    return error("PE252", place, problem)


def step_twice(place: Place, count: str, first: Place) -> Diagnostic:
    return error(
        "PE253", place, f"a second step at {count}", "the highest step reached speaks", (("first here", first),)
    )


def key_of_count(place: Place, problem: str, advice: str) -> Diagnostic:
    return error("PE266", place, problem, advice)


def runs_one_thing(place: Place, both: bool) -> Diagnostic:
    problem = "the hook has both `run` and `call`" if both else "the hook runs nothing"
    return error("PE254", place, problem, 'write either `run ["program", …]` or `call name`')


def unknown_hook(place: Place, word: str, known: Iterable[str]) -> Diagnostic:
    return error("PE255", place, f"unknown hook `{word}`", nearest(word, known))


def hook_cycle(place: Place, path: tuple[str, ...]) -> Diagnostic:
    shown = " before ".join(f"`{name}`" for name in path)
    return error("PE256", place, f"the hook `{path[0]}` would run before itself", shown)


def no_stages(place: Place) -> Diagnostic:
    return error("PE257", place, "the verify has no stage", 'add `stage NAME run ["program", …] timeout 60s`')


def bad_stage(place: Place, problem: str, advice: str = "", related: tuple[tuple[str, Place], ...] = ()) -> Diagnostic:
    return error("PE258", place, problem, advice, related)


def bad_command_line(place: Place, problem: str) -> Diagnostic:
    return error("PE286", place, problem, "write words and options such as `git push`, `git tag -d`")


def other_points(place: Place) -> Diagnostic:
    return error("PE287", place, "another lifecycle point beside `on command`", "write a second rule for it")


def approves_elsewhere(place: Place) -> Diagnostic:
    advice = "a rule gives it, on before_tool or before_permission, to shell, read, search, or another tool by its name"
    return error("PE267", place, "`approve` is not given here", advice)


def grants_too_much(place: Place, statement: str) -> Diagnostic:
    return error("PE268", place, "the condition does not prove what is approved", f"add `{statement}`, joined by `and`")


def grants_anything(place: Place, pattern: str, why: str, advice: str) -> Diagnostic:
    return error("PE268", place, f"`{pattern}` does not prove what is approved: {why}", advice)


def beside_approve(place: Place, word: str) -> Diagnostic:
    return error("PE269", place, f"`{word}` has no meaning beside `approve`", "delete it; say it in `when`")


def waiver_lacks(place: Place, what: str, advice: str) -> Diagnostic:
    return error("PE259", place, f"the waiver has no {what}", advice)


def never_entered(place: Place) -> Diagnostic:
    return error("PE261", place, "the mode has no `enter when`", "say when it begins: `enter when …`")


def claim_expects_nothing(place: Place) -> Diagnostic:
    advice = "add `expect deny`, `expect ask` or `expect possible allow`"
    return error("PE265", place, "the claim expects nothing", advice)


def bad_step(place: Place, problem: str, advice: str = "") -> Diagnostic:
    return error("PE262", place, problem, advice)


def unknown_verdict(place: Place, word: str, known: Iterable[str]) -> Diagnostic:
    words = list(known)
    return error("PE263", place, f"unknown verdict `{word}`", nearest(word, words, f"it is one of {listing(words)}"))


def never_by(place: Place, rule: str, owner: str) -> Diagnostic:
    return error("PE264", place, f"a test in `{owner}` never hears `{rule}`", "write the test at top level")


def not_an_atom(place: Place, where: str, actual: str) -> Diagnostic:
    return error(
        "PE270", place, f"{where} takes a history atom, found {actual}", 'such as `wrote("src/**")` or `prompted()`'
    )


def bad_atom_argument(place: Place, atom: str, expected: str, actual: str) -> Diagnostic:
    return error("PE271", place, f"`{atom}` takes {expected}, found {actual}")


def unknown_ecosystem(place: Place, word: str, known: Iterable[str]) -> Diagnostic:
    words = list(known)
    return error("PE275", place, f"unknown ecosystem `{word}`", nearest(word, words, f"it is one of {listing(words)}"))


def not_trackable(place: Place, atom: str, variable: str, source: str) -> Diagnostic:
    advice = f"`{atom}` takes a variable over {source}"
    return error("PE272", place, f"no history is kept for each `{variable}`", advice)


def not_counted(place: Place, form: str, variable: str) -> Diagnostic:
    return error("PE274", place, f"`{form}` is not kept for each `{variable}`", "name a glob, a command or a define")


def bad_window(place: Place, problem: str) -> Diagnostic:
    return error("PE273", place, problem, "such as `within: 10m` or `within: 3 rounds`")

"""Write the guide from which a model writes policies: the vocabulary as it is, and three shipped packs."""

from __future__ import annotations

from policy_engine.checker.vocabulary import ATOMS, FORMS, HAPPENED, vocabulary
from policy_engine.hooks.base import Field
from policy_engine.model.effects import EFFECTS
from policy_engine.model.records import COMMAND, TODO
from policy_engine.model.shipped import shipped
from policy_engine.model.types import PATH
from policy_engine.syntax.keywords import KEYWORDS

EXAMPLES = ("security/no-force-push-protected", "acceptance/read-back", "loops/repeat-cycle")
HEAD = """# How to write policies for coding agents

A policy is a file `.policy/NAME.policy`. Its rules are decided at every call of a tool and at every "I am done" of a
coding agent, by what really happened. Use only the words below: any other is an error, and nothing of the file is in
force then.

1. Write one rule for each demand, with `test { … }` in it: a step that it refuses and one near it that it allows.
2. `policy check FILE` must say "no findings"; an error names its place and what to write. `policy explain-code CODE`
   says more.
3. `policy test FILE` must pass. Do not weaken a test to make it pass.
4. What no event shows (style, intent, quality) is no rule: say so, and write none that only looks like it.
5. Show the file to a person. Rules are theirs: install, trust and waive nothing yourself.

A message says what is wrong, why, and what to do instead. What cannot be known is undecided, and a rule that refuses
then refuses; `fail open` or `fail ask` says otherwise. Prefer `any c in commands { c.effects contains "…" }` and
`c.program` to the texts of commands: a program can be called in many ways."""


def guide() -> str:
    """Return the guide, in Markdown."""
    words = vocabulary()
    points = [
        f"- `{point.name}{'(KIND, …)' if point.takes_tools else ''}`: {point.fires}; {', '.join(point.verdicts)}"
        for point in words.points.values()
    ]
    atoms = ", ".join(f"`{name}({sort if sort != 'nothing' else ''})`" for name, sort in ATOMS.items())
    functions = [
        *(f"- `{name}(…)`: {meaning}" for name, meaning in FORMS.items()),
        f"- {atoms}: {HAPPENED}",
        *(
            f"- `{one.name}({', '.join(one.parameters)})`: {one.result.name}; {_first(one.doc)}"
            for one in words.predicates.values()
        ),
    ]
    attributes = [
        f"- `.{one.name}` of a {record.name}: {one.type.name}; {one.doc}"
        for record in (COMMAND, PATH, TODO)
        for one in record.attributes
    ]
    keywords = [
        f"\n{group.capitalize()}s:\n\n" + "\n".join(f"- `{word}`: {meaning}" for word, meaning in found.items())
        for group, found in KEYWORDS.items()
    ]
    parts = [
        HEAD,
        "## Forms\n" + "\n".join(keywords),
        "## Lifecycle points and their verdicts\n\n" + "\n".join(points),
        "## Kinds of tools\n\n" + ", ".join(f"`{kind}`" for kind in words.kinds),
        "## Fields\n\n" + "\n".join(map(_field, words.fields.values())),
        "## Attributes\n\n" + "\n".join(attributes),
        "## Effects of commands\n\n" + "\n".join(f"- `{effect}`: {meaning}" for effect, meaning in EFFECTS.items()),
        "## Functions\n\n" + "\n".join(functions),
        "## Examples\n\n" + "\n".join(map(_example, EXAMPLES)),
    ]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def _field(field: Field) -> str:
    absent = ", may be absent" if field.optional else ""
    kinds = f"; tools of kind {', '.join(field.kinds)}" if field.kinds is not None else ""
    return f"- `{field.name}`: {field.type.name}{absent}; {field.doc}{kinds}"


def _first(text: str) -> str:
    return " ".join(text.split("\n\n", 1)[0].split())


def _example(name: str) -> str:
    return f"```policy\n{shipped(f'rules/{name}.policy').read_text('utf-8')}```\n"

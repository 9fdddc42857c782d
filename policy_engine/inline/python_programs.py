"""Say what Python code does that starts a program within its own process, or asks for the settings of an application.

`runpy.run_module("twine")` with `sys.argv` set, and `twine.__main__.main()`, are the line `python -m twine …`. Imported
by the hook path when a line carries Python.
"""

from __future__ import annotations

from policy_engine.inline.python_arguments import Parser
from policy_engine.inline.python_methods import Methods
from policy_engine.inline.python_tables import SECRET
from policy_engine.inline.values import UNKNOWN, Arguments, Items, Name, Text, literal, shell_words, text_of, words_of
from policy_engine.model.partial import MANY, ONE, is_known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_MAINS = frozenset("main cli dispatch run_main console_main entrypoint entry_point".split())
_RUNNERS = ("pytest", "unittest", "nose", "nose2", "tox", "nox")  # of tests: the reader of runs asks for those
_LINES = {
    "django.core.management.execute_from_command_line": ["python3", "manage.py"],
    "django.core.management.call_command": ["django-admin"],
}
"""Functions that take the words of a program of another name; the first takes the program's own as well."""
_SETTINGS = frozenset(
    (
        "decouple.config decouple.AutoConfig decouple.Config environs.Env environs.FileAwareEnv environ.Env "
        "environ.FileAwareEnv starlette.config.Config"
    ).split()
)
_SETTING = "decouple.config"  # what a reader of settings is, once it is made
_OBJECTS = frozenset("settings config conf cfg".split())
_PASSWORDS = frozenset("keyring.get_password keyring.get_credential".split())


class Programs(Methods):
    """Calls that are programs of their own, and the arguments that the code gives them."""

    argv: Items | None = None
    search: tuple[str, ...] = ()  # the folders that the code adds to where modules are looked for

    def add_folders(self, arguments: list[Any]) -> None:
        """`sys.path.insert(0, folder)`, `sys.path.extend([folder])`."""
        words = [word for one in arguments for word in (words_of(one) or [literal(one) or ""])]
        self.search = (*self.search, *(word for word in words if word and is_known(word)))

    def given(self) -> Items:
        """`sys.argv`, one list as long as the code runs."""
        if self.argv is None:
            start = self.reader.start
            self.argv = Arguments([], False) if start is None else start.words(start.file)
        return self.argv

    def set_arguments(self, value: Any, behind: int = 0) -> None:
        """`sys.argv = value`, or of its words from a place on."""
        known = self.given().items[:behind]
        items = value.items if isinstance(value, Items) else []
        self.argv = Items([*known, *items], isinstance(value, Items) and value.complete and len(known) == behind)

    def words_behind(self, value: Any) -> list[str]:
        """The words of a list, those of `sys.argv` behind its first where there is none."""
        words = words_of(value) if isinstance(value, Items) else None
        if words is not None:
            return words
        given = self.given()
        return (words_of(given) or [])[1:] if given.items else [MANY]

    def made(self, dotted: str, named: dict[str, Any]) -> Parser | None:
        """Return the reader of arguments that a class makes, None for another."""
        return Parser(named) if dotted == "argparse.ArgumentParser" else None

    def run_program(self, dotted: str, arguments: list[Any], named: dict[str, Any]) -> bool:
        """Tell of the program that a function is, if it is one; return whether it is."""
        first = arguments[0] if arguments else named.get("argv", named.get("args"))
        if dotted in ("runpy.run_module", "runpy.run_path"):
            place = arguments[0] if arguments else named.get("mod_name", named.get("path_name", UNKNOWN))
            module = ["-m"] if dotted == "runpy.run_module" else []
            if text_of(place) not in _RUNNERS:
                self.start(shell_words(["python3", *module, text_of(place), *self.words_behind(None)]), {}, dotted)
            return bool(module)
        if dotted in _LINES:
            if dotted.endswith("call_command"):
                words = [text_of(one) for one in arguments] or [ONE]
            else:
                words = self.words_behind(first)[1 if isinstance(first, Items) else 0 :]
            self.start(shell_words([*_LINES[dotted], *words]), {}, dotted)
            return True
        program, *inner = dotted.split(".")
        if not inner or inner.pop() not in _MAINS or program in _RUNNERS or self.owns(program):
            return False
        verbs = inner[inner.index("commands") + 1 :] if "commands" in inner else []
        self.start(shell_words(["python3", "-m", program, *verbs, *self.words_behind(first)]), {}, dotted)
        return True

    def owns(self, module: str) -> bool:
        """Return whether a module lies in the folder that the code runs in."""
        places = (self.analysis.path(text, "read") for text in (f"{module}.py", module))
        return any(place.known and self.analysis.filesystem.present(place) for place in places)

    def show(self, value: Any, depth: int = 0) -> None:
        """Tell of a secret that settings hold (`settings.SECRET_KEY`) as well."""
        super().show(value, depth)
        owners, _, name = value.dotted.rpartition(".") if isinstance(value, Name) else ("", "", "")
        if not _OBJECTS.isdisjoint(owners.split(".")) and any(part in name.upper() for part in SECRET):
            self.analysis.does("discloses")

    def ask_settings(self, dotted: str, arguments: list[Any]) -> Any:
        """`decouple.config("SECRET_KEY")`, and what makes such a reader of settings; None for other functions."""
        if dotted in _PASSWORDS:
            self.analysis.does("discloses")
            return UNKNOWN
        if dotted != _SETTING and not dotted.startswith(f"{_SETTING}."):
            if dotted not in _SETTINGS:
                return None
            if arguments and literal(arguments[0]) is not None:
                self.touch(arguments[0], "read", False, dotted)
            return Name(_SETTING)
        if dotted.endswith(".read_env"):
            self.touch(arguments[0] if arguments else Text(".env"), "read", False, dotted)
        name = literal(arguments[0]) if arguments else ""
        if name is None or any(part in name.upper() for part in SECRET):
            self.analysis.does("discloses")
        return UNKNOWN

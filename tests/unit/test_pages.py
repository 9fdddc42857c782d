"""Pages of codes and lints come from the docstrings that stand at the code."""

from __future__ import annotations

import types

import pytest

from policy_engine import pages as pages_module
from policy_engine.model.page import Page
from policy_engine.pages import pages


def _module(name: str, *functions: tuple[str, str]) -> types.ModuleType:
    module = types.ModuleType(name)
    for function_name, docstring in functions:
        namespace: dict[str, object] = {"__name__": name}
        exec(f"def {function_name}(): ...", namespace)
        function = namespace[function_name]
        function.__doc__ = docstring
        setattr(module, function_name, function)
    return module


@pytest.fixture
def only(monkeypatch: pytest.MonkeyPatch) -> object:
    """Let the given modules be all that complain; no lints."""

    def install(*modules: types.ModuleType) -> None:
        monkeypatch.setattr(pages_module, "message_modules", lambda: list(modules))
        monkeypatch.setattr(pages_module.family, "modules", lambda _package: [])

    return install


def test_a_complaint_is_described_by_its_function(only) -> None:
    only(
        _module(
            "complaints_a",
            ("b", "PE102: unclosed string.\n\n    A string ends on its line."),
            ("a", "PE101: unexpected word"),
            ("helper", "Not a complaint."),
        )
    )
    assert list(pages().values()) == [
        Page("PE101", "unexpected word", ""),
        Page("PE102", "unclosed string", "A string ends on its line."),
    ]


def test_a_code_with_two_pages_is_refused(only) -> None:
    only(_module("complaints_a", ("a", "PE101: one")), _module("complaints_b", ("a", "PE101: another")))
    with pytest.raises(ValueError, match="`PE101` has two pages"):
        pages()


def test_complaints_are_found_in_every_room_that_has_them() -> None:
    names = {module.__name__ for module in pages_module.message_modules()}
    assert "policy_engine.loading.messages" in names
    assert all(name.endswith(("messages", "messages")) for name in names)


def test_every_page_of_the_package_has_a_title_and_a_body() -> None:
    found = pages()
    assert [page.code for page in found.values() if not page.title or not page.body] == []
    assert list(found) == sorted(found, key=lambda code: (not code.startswith("PE"), code))

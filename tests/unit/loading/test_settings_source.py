"""Where sessions are kept is the word of the organisation, else of the user, and no secret is in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from policy_engine.loading import settings_source
from policy_engine.loading.settings import read_settings
from policy_engine.loading.settings_source import store_place
from policy_engine.model.errors import ConfigurationError
from policy_engine.model.store_address import fault_of, is_server, shown_place

SERVER = "postgresql://sessions@db.example/policy?sslmode=verify-full"
SECRET = "sw0rdfish"


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Path]:
    """The folders of the organisation, the user, and a repository that is the working folder."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    found = {
        "organisation": tmp_path / "etc",
        "user": tmp_path / "home/.config/policy-engine",
        "repository": tmp_path / "work/.policy",
    }
    for folder in found.values():
        folder.mkdir(parents=True)
    monkeypatch.setattr(settings_source, "ORGANISATION_FOLDER", str(found["organisation"]))
    monkeypatch.chdir(tmp_path / "work")
    return found


def say(folder: Path, text: str) -> None:
    (folder / "policy.toml").write_text(text)


def test_without_a_word_it_is_the_file_in_the_state_folder(folders: dict[str, Path], tmp_path: Path) -> None:
    expected = f"{tmp_path}/home/.local/state/policy-engine/sessions.sqlite3"
    assert store_place() == expected
    say(folders["user"], 'store = "sqlite"\n')
    assert store_place() == expected


def test_the_organisation_comes_before_the_user_and_a_repository_has_no_say(folders: dict[str, Path]) -> None:
    say(folders["repository"], f'store = "{SERVER}?r"\n')
    assert not is_server(store_place())
    say(folders["user"], f'store = "{SERVER}"\n')
    assert store_place() == SERVER
    say(folders["organisation"], 'store = "sqlite"\n')
    assert not is_server(store_place())


def test_a_key_that_is_written_with_escapes_is_read_as_well(folders: dict[str, Path]) -> None:
    say(folders["user"], f'"st\\u006fre" = "{SERVER}"\n')
    assert store_place() == read_settings(folders["user"]).store == SERVER


@pytest.mark.parametrize(
    "text",
    [
        'store = "mysql://db"',
        'store = "/tmp/sessions.db"',
        "store = 1",
        "store = = 1",
        f'store = "postgresql://u:{SECRET}@db/x"',
        f'store = "postgresql://db/x?password={SECRET}"',
        f'store = "postgresql://db/x?sslpassword={SECRET}"',
        f'store = "postgresql://db/x?pass%77ord={SECRET}"',
        'store = "postgresql://db/x y"',
    ],
)
def test_what_names_no_store_is_an_error_that_repeats_nothing(folders: dict[str, Path], text: str) -> None:
    say(folders["user"], text)
    for ask in (store_place, lambda: read_settings(folders["user"])):
        with pytest.raises(ConfigurationError) as refused:
            ask()
        assert "policy.toml" in str(refused.value) and SECRET not in str(refused.value)


def test_settings_that_others_may_write_are_not_believed(folders: dict[str, Path]) -> None:
    say(folders["user"], f'store = "{SERVER}"\n')
    (folders["user"] / "policy.toml").chmod(0o666)
    with pytest.raises(ConfigurationError, match="is not believed"):
        store_place()


def test_of_a_server_its_place_is_shown_and_nothing_else() -> None:
    assert shown_place(SERVER) == "postgresql://db.example/policy"
    assert shown_place("/home/u/sessions.sqlite3") == "/home/u/sessions.sqlite3"
    assert fault_of(SERVER) == fault_of("sqlite") == ""

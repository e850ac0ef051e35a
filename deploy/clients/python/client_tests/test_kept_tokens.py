"""Where the tokens of logins are kept: in the keyring, and in a private file where that is absent or broken."""

import json
import sys
from pathlib import Path
from types import ModuleType

import pytest
from cabildo_client.errors import NoToken
from cabildo_client.login.kept_tokens import IN_KEYRING, KeptTokens, kept_tokens
from cabildo_client.tokens import token_from

URL = "https://games.example"
OTHER = "https://other.example"


class Keyring(ModuleType):
    """A keyring in memory, with the functions of the library of that name; it can break."""

    def __init__(self, backend: object = None) -> None:
        super().__init__("keyring")
        self.kept: dict[tuple[str, str], str] = {}
        self.broken = False
        self.backend = backend

    def _check(self) -> None:
        if self.broken:
            raise RuntimeError("the keyring is locked")

    def get_keyring(self) -> object:
        return self.backend

    def get_password(self, service: str, name: str) -> str | None:
        self._check()
        return self.kept.get((service, name))

    def set_password(self, service: str, name: str, token: str) -> None:
        self._check()
        self.kept[service, name] = token

    def delete_password(self, service: str, name: str) -> None:
        self._check()
        del self.kept[service, name]  # like the library, it raises when there is none


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    """The environment of a user."""
    return {"HOME": str(tmp_path)}


def test_tokens_are_kept_in_the_keyring_by_service(home: dict[str, str]) -> None:
    keyring = Keyring()
    kept = KeptTokens(home, keyring)
    assert kept.find(URL) is None
    assert kept.keep(f"{URL}/", "cab_one") == IN_KEYRING
    kept.keep(OTHER, "cab_other")
    kept.keep(URL, "cab_two")
    assert (kept.find(URL.upper()), kept.find(OTHER)) == ("cab_two", "cab_other")
    assert keyring.kept == {("cabildo", URL): "cab_two", ("cabildo", OTHER): "cab_other"}
    kept.drop(URL)
    kept.drop(URL)  # nothing is left to forget
    assert (kept.find(URL), kept.find(OTHER)) == (None, "cab_other")
    assert not kept.file.exists()


def test_without_a_keyring_a_file_of_mode_600_keeps_them(home: dict[str, str]) -> None:
    kept = KeptTokens(home)
    assert kept.keep(URL, "cab_one") == str(kept.file) == f"{home['HOME']}/.config/cabildo/tokens.json"
    kept.keep(OTHER, "cab_other")
    assert kept.file.stat().st_mode & 0o777 == 0o600
    assert kept.file.parent.stat().st_mode & 0o077 == 0
    assert KeptTokens(home).find(URL) == "cab_one"
    kept.drop(URL)
    assert json.loads(kept.file.read_text()) == {OTHER: "cab_other"}
    assert [path.name for path in kept.file.parent.iterdir()] == ["tokens.json"]


def test_a_broken_keyring_falls_back_to_the_file(home: dict[str, str]) -> None:
    keyring = Keyring()
    keyring.broken = True
    assert KeptTokens(home, keyring).keep(URL, "cab_one") == str(KeptTokens(home).file)
    assert KeptTokens(home, keyring).find(URL) == "cab_one"
    KeptTokens(home, keyring).drop(URL)
    assert KeptTokens(home, keyring).find(URL) is None
    assert keyring.kept == {}


def test_a_token_of_the_file_is_found_though_there_is_a_keyring_now(home: dict[str, str]) -> None:
    KeptTokens(home).keep(URL, "cab_one")
    kept = KeptTokens(home, Keyring())
    assert kept.find(URL) == "cab_one"
    kept.drop(URL)
    assert KeptTokens(home).find(URL) is None


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o660, 0o620])
def test_a_file_that_others_may_read_or_write_is_refused(home: dict[str, str], mode: int) -> None:
    kept = KeptTokens(home)
    kept.keep(URL, "cab_one")
    kept.file.chmod(mode)
    with pytest.raises(NoToken, match="chmod 600"):
        kept.find(URL)
    with pytest.raises(NoToken, match="chmod 600"):
        kept.keep(URL, "cab_two")
    with pytest.raises(NoToken, match="chmod 600"):
        kept.drop(URL)
    kept.file.chmod(0o600)
    assert kept.find(URL) == "cab_one"


def test_a_file_that_cannot_be_read_or_written_is_named(home: dict[str, str], tmp_path: Path) -> None:
    kept = KeptTokens(home)
    kept.keep(URL, "cab_one")
    kept.file.write_text("{")
    with pytest.raises(NoToken, match=r"tokens\.json"):
        kept.find(URL)
    (tmp_path / "file").touch()
    with pytest.raises(NoToken, match=r"cannot be kept|Not a directory"):
        KeptTokens({"XDG_CONFIG_HOME": str(tmp_path / "file")}).keep(URL, "cab_one")


class NoBackend:
    """What the library has where the system has no keyring."""


@pytest.mark.parametrize(("backend", "where"), [(object(), IN_KEYRING), (NoBackend(), "file")])
def test_the_keyring_of_the_system_is_used_where_it_has_one(
    home: dict[str, str], monkeypatch: pytest.MonkeyPatch, backend: object, where: str
) -> None:
    fail = ModuleType("keyring.backends.fail")
    fail.Keyring = NoBackend  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "keyring", Keyring(backend))
    monkeypatch.setitem(sys.modules, "keyring.backends", ModuleType("keyring.backends"))
    monkeypatch.setitem(sys.modules, "keyring.backends.fail", fail)
    kept = kept_tokens(home)
    assert kept.keep(URL, "cab_one") == (IN_KEYRING if where == IN_KEYRING else str(kept.file))
    assert token_from(None, home, URL) == "cab_one"


def test_without_the_extra_the_file_is_used(home: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "keyring", None)
    assert kept_tokens(home).keep(URL, "cab_one").endswith("tokens.json")
    assert token_from(None, home | {"CABILDO_TOKEN": "cab_set"}, URL) == "cab_set"
    assert token_from(None, home, URL) == "cab_one"

"""The address that a service names for a login: opened in a browser only when it is one of the web."""

import webbrowser
from pathlib import Path

import httpx
import pytest
from cabildo_client.login.commands import login
from cabildo_client.login.kept_tokens import KeptTokens


@pytest.mark.parametrize(("address", "opened"), [("https://games.example/x", True), ("file:///etc/passwd", False)])
def test_only_addresses_of_the_web_are_opened(
    address: str, opened: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    monkeypatch.setattr(webbrowser, "open", seen.append)

    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/oauth/token":
            return httpx.Response(200, json={"access_token": "cab_x"})
        if request.url.path == "/v1/me":
            return httpx.Response(200, json={"name": "Anna", "id": "1", "scopes": ["read"]})
        codes = {"device_code": "x", "user_code": "BCDF-GHJK", "expires_in": 60, "interval": 1}
        return httpx.Response(200, json={**codes, "verification_uri": address, "verification_uri_complete": address})

    login(
        "https://games.example",
        ("read",),
        KeptTokens({"HOME": str(tmp_path)}),
        lambda _line: None,
        opens=True,
        transport=httpx.MockTransport(answer),
        wait=lambda _seconds: None,
    )
    assert seen == ([address] if opened else [])

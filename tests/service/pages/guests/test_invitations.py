"""Invitations: links and QR codes of a table, and the way from a link to a seat without an account."""

import io

import pytest
import segno
from flask import Flask
from flask.testing import FlaskClient

from tests.service.pages.guests.test_guests import form
from tests.support.service.players import somebody

HERE = "http://127.0.0.1:8080"  # the public address of the service, whatever name a request gives it


def drawn(link: str) -> bytes:
    """Returns the picture of the QR code of a link."""
    picture = io.BytesIO()
    segno.make(link, error="m", micro=False).save(picture, kind="svg", scale=5, border=3, light="white", xmldecl=False)
    return picture.getvalue()


def test_an_open_table_has_one_link_for_all(client: FlaskClient) -> None:
    game = somebody(client).create("me", "open")["id"]
    page = client.get(f"/games/{game}/invite")
    assert f'href="{HERE}/games/{game}/play"' in page.text
    assert client.get(f"/games/{game}/invite.svg").data == drawn(f"{HERE}/games/{game}/play")
    assert client.get(f"/games/{game}/invite.svg?chair=1").status_code == 404


def test_the_host_alone_has_the_link_of_a_kept_seat(client: FlaskClient) -> None:
    host, stranger = somebody(client), somebody(client)
    made = host.create("me", "invite", visibility="private")
    link = f"{HERE}/games/{made['id']}/play?invite={made['invites']['1']}"
    asked = host.ask("GET", f"/games/{made['id']}/invite")
    assert link in asked.text
    assert asked.headers["Cache-Control"] == "private, no-store"
    assert host.ask("GET", f"/games/{made['id']}/invite.svg?chair=1").data == drawn(link)
    assert stranger.ask("GET", f"/games/{made['id']}/invite").status_code == 404
    assert client.get(f"/games/{made['id']}/invite.svg").status_code == 404


def test_a_link_leads_a_visitor_without_an_account_to_the_seat(client: FlaskClient) -> None:
    made = somebody(client).create("me", "invite", visibility="private")
    way = f"/games/{made['id']}/play?invite={made['invites']['1']}"
    page = client.get(way)
    assert "/register?next=" in page.text
    assert client.get(f"/games/{made['id']}/play?invite=false").location.startswith("/login")
    taken = client.post(f"/games/{made['id']}/join", data=form(client, way, invite=made["invites"]["1"]))
    assert taken.location == f"/games/{made['id']}/play"
    seats = client.get(f"/v1/games/{made['id']}").get_json()["seats"]
    assert any(seat["player"]["name"].startswith("Guest ") for seat in seats)


def test_a_rated_table_asks_a_visitor_to_register(client: FlaskClient) -> None:
    game = somebody(client).create("me", "open", rated=True)["id"]
    assert f"/games/{game}/join" not in client.get(f"/games/{game}/play").text
    assert "guests play unrated games" in client.get(f"/games/{game}/play").text


@pytest.mark.parametrize("visibility", ["unlisted", "private"])
def test_a_link_to_a_taken_chair_offers_no_chair(client: FlaskClient, app: Flask, visibility: str) -> None:
    made = somebody(client).create("me", "invite", "invite", visibility=visibility)
    way = f"/games/{made['id']}/play?invite={made['invites']['1']}"
    client.post(f"/games/{made['id']}/join", data=form(client, way, invite=made["invites"]["1"]))
    stranger = app.test_client()
    page = stranger.get(way).text
    assert "This chair is taken" in page
    assert f"/login?next=/games/{made['id']}/play" in page
    assert f"/games/{made['id']}/join" not in page
    assert f"/games/{made['id']}/join" in stranger.get(way.replace(made["invites"]["1"], made["invites"]["2"])).text
    assert '"invited": 1' in client.get(way).text


def test_a_link_to_a_cancelled_table_says_that_it_is_closed(client: FlaskClient, app: Flask) -> None:
    host = somebody(client)
    made = host.create("me", "invite", visibility="private")
    host.post(f"/v1/games/{made['id']}/abort", {})
    page = app.test_client().get(f"/games/{made['id']}/play?invite={made['invites']['1']}")
    assert "the table has closed" in page.text


def test_a_link_to_a_rated_table_asks_a_guest_to_keep_the_account(client: FlaskClient, app: Flask) -> None:
    invitations = [
        somebody(client).create("me", "invite", visibility="private", rated=rated) for rated in (False, True)
    ]
    unrated, rated = (f"/games/{made['id']}/play?invite={made['invites']['1']}" for made in invitations)
    guest = app.test_client()
    guest.post(f"/games/{invitations[0]['id']}/join", data=form(guest, unrated, invite=invitations[0]["invites"]["1"]))
    page = guest.get(rated).text
    assert f'href="/keep?next={rated.replace("?", "%3F").replace("=", "%3D")}"' in page
    assert f"/games/{invitations[1]['id']}/join" not in page

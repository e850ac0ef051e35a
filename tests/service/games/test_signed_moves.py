"""Signed moves: a seat that names its player's key signs each of its moves, and a bundle shows that nobody else did."""

from pathlib import Path
from typing import Any
from uuid import UUID

from cabildo_client import Client
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from flask.testing import FlaskClient

from events.event import Head
from projections.games.signed_moves import key_statement, move_statement
from projections.verify.bundle import verify
from tests.support.service.players import Person, answer, problem, somebody

LOW_ORDER = "00" * 32


class Signer:
    """A player with a key."""

    def __init__(self, person: Person) -> None:
        self.person = person
        self.key = Ed25519PrivateKey.generate()

    @property
    def public(self) -> str:
        return self.key.public_key().public_bytes_raw().hex()

    def register(self, status: int = 200) -> dict[str, Any]:
        proof = self.key.sign(key_statement(self.person.id)).hex()
        return answer(self.person.ask("PUT", "/v1/me/key", {"key": self.public, "proof": proof}), status)

    def signature(self, game: dict[str, Any], move: str, seat: int | None = None) -> str:
        """Over a move in a game as it was shown."""
        mine = own_seat(game, self.person.id)
        assert mine["seat"] is not None
        before = Head(game["version"], bytes.fromhex(game["head"]))
        statement = move_statement(UUID(game["id"]), before, mine["seat"] if seat is None else seat, move)
        return self.key.sign(statement).hex()


def own_seat(game: dict[str, Any], player: str) -> dict[str, Any]:
    """The seat of a player in a game."""
    (mine,) = (seat for seat in game["seats"] if seat["player"] and seat["player"]["id"] == player)
    return dict(mine)


def signing(client: FlaskClient) -> Signer:
    """Registers a player with a key."""
    signer = Signer(somebody(client))
    signer.register()
    return signer


def table(client: FlaskClient) -> tuple[Signer, Person, dict[str, Any]]:
    """A running game whose first seat signs."""
    host, guest = signing(client), somebody(client)
    game = host.person.create("me", "open", signs=True, start_player=0)
    return host, guest, guest.join(game["id"])


def test_a_key_is_registered_shown_replaced_and_dropped(client: FlaskClient) -> None:
    anna = Signer(somebody(client))
    assert anna.register()["key"] == anna.public
    assert client.get(f"/v1/players/{anna.person.id}").get_json()["key"] == anna.public
    anna.key = Ed25519PrivateKey.generate()
    assert anna.register()["key"] == anna.public
    assert anna.person.ask("DELETE", "/v1/me/key").status_code == 204
    assert anna.person.ask("GET", "/v1/me").get_json()["key"] is None


def test_nobody_registers_a_key_they_do_not_hold(client: FlaskClient) -> None:
    anna, birgir = Signer(somebody(client)), signing(client)
    stolen = {"key": birgir.public, "proof": birgir.key.sign(key_statement(birgir.person.id)).hex()}
    assert problem(answer(anna.person.ask("PUT", "/v1/me/key", stolen), 422)) == "false_signature"


def test_a_key_of_low_order_is_refused(client: FlaskClient) -> None:
    asked = {"key": LOW_ORDER, "proof": "00" * 64}
    assert problem(answer(somebody(client).ask("PUT", "/v1/me/key", asked), 422)) == "bad_key"


def test_a_seat_names_the_key_and_its_event_keeps_each_signature(client: FlaskClient) -> None:
    host, _, game = table(client)
    assert own_seat(game, host.person.id) == game["seats"][0]
    assert [seat["key"] for seat in game["seats"]] == [host.public, None]
    signature = host.signature(game, "play create_2")
    made = host.person.move(game["id"], "play create_2", expected_head=game["head"], signature=signature)
    assert made["event"]["data"]["signature"] == signature


def test_a_bundle_proves_who_moved(client: FlaskClient) -> None:
    host, guest, game = table(client)
    host.person.move(game["id"], "play create_2", signature=host.signature(game, "play create_2"))
    guest.move(game["id"], "play create_2")
    report = verify(client.get(f"/v1/games/{game['id']}/bundle").data, None)
    assert report.failure is None
    (told,) = [remark.sentence for remark in report.findings if remark.reason == "keys_named"]
    assert f"{host.person.id} {host.public}" in told


def test_a_seat_that_signs_makes_no_unsigned_move(client: FlaskClient) -> None:
    host, _, game = table(client)
    refused = host.person.move(game["id"], "play create_2", 422)
    assert (problem(refused), refused["reason"]) == ("signature_refused", "missing")


def test_a_signature_of_another_move_game_seat_or_history_is_refused(client: FlaskClient) -> None:
    host, _, game = table(client)
    other_game = {**game, "id": str(UUID(int=5))}
    other_history = {**game, "head": "00" * 32}
    later = {**game, "version": game["version"] + 1}
    for signature in (
        host.signature(game, "play upgrade_2"),
        host.signature(game, "play create_2", seat=1),
        *(host.signature(shown, "play create_2") for shown in (other_game, other_history, later)),
    ):
        refused = host.person.move(game["id"], "play create_2", 422, signature=signature)
        assert problem(refused) == "false_signature"
        assert refused["statement"].endswith("\nplay create_2\n")


def test_the_canonical_move_is_what_is_signed(client: FlaskClient) -> None:
    host, _, game = table(client)
    signature = host.signature(game, "play create_2")
    assert (
        host.person.move(game["id"], " PLAY create_2", signature=signature)["event"]["data"]["signature"] == signature
    )


def test_a_seat_without_a_key_cannot_sign_and_none_is_taken_without_one(client: FlaskClient) -> None:
    anna = somebody(client)
    refused = anna.create("me", "open", signs=True, status=422)
    assert (problem(refused), refused["reason"]) == ("signature_refused", "no_key")
    game = anna.create("me", "bot:random", start_player=0)["id"]
    refused = anna.move(game, "play create_2", 422, signature="11" * 64)
    assert (problem(refused), refused["reason"]) == ("signature_refused", "no_key")


def test_a_seat_keeps_to_the_key_it_was_taken_with(client: FlaskClient) -> None:
    host, _, game = table(client)
    assert host.person.ask("DELETE", "/v1/me/key").status_code == 204
    host.person.move(game["id"], "play create_2", signature=host.signature(game, "play create_2"))


def test_a_bot_that_stands_in_signs_nothing(client: FlaskClient) -> None:
    host, guest, game = table(client)
    host.person.post(f"/v1/games/{game['id']}/resign")
    document = guest.ask("GET", f"/v1/games/{game['id']}").get_json()
    assert document["seats"][0]["stand_in"] is not None
    assert verify(client.get(f"/v1/games/{game['id']}/bundle").data, None).failure is None


def test_a_commitment_that_follows_leaves_the_key_in_place(client: FlaskClient) -> None:
    host = signing(client)
    game = host.person.create("me", "open", chance=2, commits=True, signs=True)
    again = host.person.join(game["id"], commitment="11" * 32, echo=game["chance"]["commitment"])
    mine = own_seat(again, host.person.id)
    assert (mine["key"], mine["commitment"]) == (host.public, "11" * 32)


def test_a_key_stays_with_its_vault(tmp_path: Path) -> None:
    with Client("http://127.0.0.1:9", keep=tmp_path) as first, Client("http://127.0.0.1:9", keep=tmp_path) as again:
        assert first.secrets.public_key() == again.secrets.public_key()

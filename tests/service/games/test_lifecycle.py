"""Tables over HTTP: who may sit where, when a game starts, and how it may end before its end."""

import json
from uuid import uuid4

import pytest
from flask.testing import FlaskClient

from events.store.connections import connect
from tests.support.service.players import Person, answer, in_turn, problem, running, somebody


def people(client: FlaskClient, *names: str) -> list[Person]:
    """Players of these names."""
    return [Person(client, name) for name in names]


def test_a_game_starts_when_it_is_full(client: FlaskClient) -> None:
    anna, birgir, carla = people(client, "Anna", "Birgir", "Carla")
    game = anna.create("me", "open", "open")
    assert (game["status"], game["turn"]) == ("open", None)
    assert birgir.join(game["id"])["status"] == "open"
    started = carla.join(game["id"])
    assert started["status"] == "running"
    assert started["turn"] == {"seat": 0, "decision": "action"}
    assert [seat["seat"] for seat in started["seats"]] == [0, 1, 2]


def test_seats_are_turn_order_and_chairs_go_round_from_the_start_player(client: FlaskClient) -> None:
    anna, birgir, carla = people(client, "Anna", "Birgir", "Carla")
    game = anna.create("me", birgir.id, carla.id, start_player=2)
    birgir.join(game["id"])
    started = carla.join(game["id"])
    assert [seat["chair"] for seat in started["seats"]] == [2, 0, 1]
    assert [one.name for one in in_turn(started, anna, birgir, carla)] == ["Carla", "Anna", "Birgir"]


def test_a_chair_kept_for_somebody_is_nobody_elses(client: FlaskClient) -> None:
    anna, birgir, carla = people(client, "Anna", "Birgir", "Carla")
    game = anna.create("me", birgir.id)
    assert problem(carla.join(game["id"], 409)) == "no_free_chair"
    assert birgir.join(game["id"])["status"] == "running"


def test_an_invitation_lets_in_who_has_its_code(client: FlaskClient) -> None:
    anna, birgir = people(client, "Anna", "Birgir")
    game = anna.create("me", "invite", visibility="private")
    assert problem(birgir.join(game["id"], 404)) == "not_there"
    assert problem(birgir.join(game["id"], 404, invite="aaaa")) == "not_there"  # a guess reveals nothing
    joined = birgir.join(game["id"], invite=game["invites"]["1"])
    assert joined["status"] == "running"
    assert "invites" not in joined


def test_stored_answers_hold_no_invitation_code(client: FlaskClient, database: str) -> None:
    (anna,) = people(client, "Anna")
    body = {"game": "spice_road", "seats": ["me", "invite"], "visibility": "private"}
    created = anna.post("/v1/games", body, Idempotency_Key="one")
    assert anna.post("/v1/games", body, Idempotency_Key="one") == created
    with connect(database) as connection:
        stored = [bytes(answer).decode() for (answer,) in connection.execute("SELECT answer FROM answers")]
    assert [json.loads(text)["invites"] for text in stored] == [{"1": None}]
    assert created["invites"]["1"] not in "".join(stored)


def test_nobody_sits_on_two_chairs(client: FlaskClient) -> None:
    anna = somebody(client)
    assert problem(anna.create("me", "me", status=422)) == "bad_options"
    game = anna.create("me", "open", "open")
    assert problem(anna.join(game["id"], 409)) == "no_free_chair"


@pytest.mark.parametrize("seat", ["nobody", "bot:clairvoyant", "bot:", ""])
def test_a_seat_is_asked_for_in_one_of_the_known_ways(client: FlaskClient, seat: str) -> None:
    assert problem(somebody(client).create("me", seat, status=422)) in ("bad_options", "invalid_request")


def test_a_player_who_does_not_exist_cannot_be_asked(client: FlaskClient) -> None:
    assert problem(somebody(client).create("me", str(uuid4()), status=404)) == "not_there"


def test_options_are_those_of_the_rules(client: FlaskClient) -> None:
    anna = somebody(client)
    game = anna.create("me", "open", options={"cube_scoring": "all"})
    assert game["options"]["cube_scoring"] == "all"
    assert problem(anna.create("me", "open", status=422, options={"nobles": True})) == "bad_options"
    assert problem(anna.create("me", status=422)) == "bad_options"


def test_a_seat_can_be_left_before_the_start(client: FlaskClient) -> None:
    anna, birgir, carla = people(client, "Anna", "Birgir", "Carla")
    game = anna.create("me", "open", "open")["id"]
    birgir.join(game)
    left = answer(birgir.ask("DELETE", f"/v1/games/{game}/seats/mine"), 200)
    assert [seat["player"] for seat in left["seats"]][1:] == [None, None]
    carla.join(game)
    birgir.join(game)
    assert problem(answer(birgir.ask("DELETE", f"/v1/games/{game}/seats/mine"), 409)) == "not_open"


def test_the_host_can_cancel_what_has_not_started_and_the_seed_is_shown(client: FlaskClient) -> None:
    anna, birgir = people(client, "Anna", "Birgir")
    game = anna.create("me", "open", "open")["id"]
    birgir.join(game)
    assert birgir.post(f"/v1/games/{game}/abort", status=403)["reason"] == "not_host"
    anna.post(f"/v1/games/{game}/abort")
    ended = answer(anna.ask("GET", f"/v1/games/{game}"), 200)
    assert (ended["status"], ended["result"]["cause"]) == ("aborted", "cancelled")
    assert ended["chance"]["seed"] is not None


def test_anybody_may_abort_before_the_second_round(client: FlaskClient) -> None:
    game, (first, second) = running(client)
    first.move(game, "play create_2")
    aborted = second.post(f"/v1/games/{game}/abort")
    assert (aborted["status"], aborted["event"]["data"]["cause"]) == ("aborted", "early")


def test_later_aborting_takes_everybodys_consent(client: FlaskClient) -> None:
    game, (first, second) = running(client)
    for player in (first, second):
        player.move(game, "play create_2")
    offered = first.post(f"/v1/games/{game}/abort")
    assert (offered["status"], offered["event"]["kind"]) == ("running", "offer_made")
    for word in ("yes", 1):  # neither true nor false
        assert problem(second.post(f"/v1/games/{game}/offer", {"agrees": word}, 422)) == "invalid_request"
    assert second.post(f"/v1/games/{game}/offer", {"agrees": False})["status"] == "running"
    assert problem(second.post(f"/v1/games/{game}/offer", {"agrees": True}, 422)) == "offer_refused"
    first.post(f"/v1/games/{game}/abort")
    assert second.post(f"/v1/games/{game}/offer", {"agrees": True})["status"] == "aborted"


def test_the_seat_that_made_an_offer_withdraws_it(client: FlaskClient) -> None:
    game, (first, second) = running(client)
    for player in (first, second):
        player.move(game, "play create_2")
    withdrawal, answered = f"/v1/games/{game}/offer/withdrawal", f"/v1/games/{game}/offer"
    refused = first.post(withdrawal, status=422)
    assert (problem(refused), refused["reason"]) == ("offer_refused", "none")
    for what, body in (("abort", {}), ("take-back", {"to": 4})):
        proposed = first.post(f"/v1/games/{game}/{what}", body)
        assert proposed["event"]["kind"] == "offer_made"
        refused = second.post(withdrawal, status=422)
        assert (problem(refused), refused["reason"]) == ("offer_refused", "not_yours")
        assert problem(first.post(withdrawal, {"expected": proposed["version"] - 1}, 409)) == "stale_version"
        withdrawn = first.post(withdrawal, {"expected": proposed["version"]})
        assert (withdrawn["event"]["kind"], withdrawn["event"]["data"]) == ("offer_withdrawn", {"seat": 0})
        assert answer(second.ask("GET", f"/v1/games/{game}"), 200)["offer"] is None
        assert problem(second.post(answered, {"agrees": True}, 422)) == "offer_refused"
    told = answer(second.ask("GET", f"/v1/games/{game}/events"), 200)["events"]
    assert [event["kind"] for event in told][-4:] == ["offer_made", "offer_withdrawn"] * 2


def test_a_withdrawal_sent_twice_under_a_key_is_written_once(client: FlaskClient) -> None:
    game, (first, second) = running(client)
    for player in (first, second):
        player.move(game, "play create_2")
    first.post(f"/v1/games/{game}/abort")
    made = [first.post(f"/v1/games/{game}/offer/withdrawal", Idempotency_Key="one") for _ in range(2)]
    assert made[0] == made[1]


def test_a_move_withdraws_what_was_proposed(client: FlaskClient) -> None:
    game, (first, second) = running(client)
    for player in (first, second):
        player.move(game, "play create_2")
    second.post(f"/v1/games/{game}/abort")
    first.move(game, "rest")
    assert problem(first.post(f"/v1/games/{game}/offer", {"agrees": True}, 422)) == "offer_refused"


def test_who_resigns_leaves_a_bot_in_the_seat(client: FlaskClient) -> None:
    game, (first, second) = running(client, "Anna", "Birgir")
    resigned = first.post(f"/v1/games/{game}/resign")
    assert resigned["event"]["data"] == {"seat": 0, "consequence": "bot", "stand_in": "random"}
    assert first.move(game, "play create_2", 403)["reason"] == "gone"
    seat = answer(second.ask("GET", f"/v1/games/{game}"), 200)["seats"][0]
    assert (seat["player"]["name"], seat["stand_in"]) == (first.name, "random")


def test_a_forfeit_of_two_ends_the_game_and_shows_the_seed(client: FlaskClient) -> None:
    game, (first, second) = running(client, leaver="forfeit")
    assert second.post(f"/v1/games/{game}/resign")["status"] == "finished"
    ended = answer(first.ask("GET", f"/v1/games/{game}"), 200)
    assert (ended["result"]["cause"], ended["result"]["places"]) == ("forfeit", [1, 2])
    events = answer(first.ask("GET", f"/v1/games/{game}/events?after=4"), 200)["events"]
    assert [event["kind"] for event in events] == ["resigned", "game_ended", "seed_revealed"]


def test_of_three_the_others_play_on_and_who_forfeited_comes_last(client: FlaskClient) -> None:
    game, (first, second, third) = running(client, "Anna", "Birgir", "Carla", leaver="forfeit")
    assert first.post(f"/v1/games/{game}/resign")["status"] == "running"
    assert third.post(f"/v1/games/{game}/resign")["status"] == "finished"
    assert answer(second.ask("GET", f"/v1/games/{game}"), 200)["result"]["places"] == [3, 1, 2]


def test_a_rematch_asks_the_same_people_once_and_the_next_one_starts(client: FlaskClient) -> None:
    game, (first, second) = running(client, leaver="forfeit", options={"cube_scoring": "all"})
    assert first.post(f"/v1/games/{game}/rematch", status=403)["reason"] == "not_over"
    first.post(f"/v1/games/{game}/resign")
    again = first.post(f"/v1/games/{game}/rematch")
    assert (again["status"], again["rematch_of"]) == ("open", game)
    assert first.post(f"/v1/games/{game}/rematch")["id"] == again["id"]
    begun = second.post(f"/v1/games/{game}/rematch")
    assert (begun["id"], begun["status"], begun["options"]["cube_scoring"]) == (again["id"], "running", "all")
    assert in_turn(begun, first, second) == [second, first]


def test_a_rematch_is_for_those_who_have_played(client: FlaskClient) -> None:
    game, (first, _) = running(client, leaver="forfeit")
    first.post(f"/v1/games/{game}/resign")
    assert Person(client, "Carla").post(f"/v1/games/{game}/rematch", status=403)["reason"] == "not_seated"


def test_a_private_game_is_not_there_for_others(client: FlaskClient) -> None:
    first, second, other = people(client, "Anna", "Birgir", "Carla")
    game = first.create("me", second.id, visibility="private")["id"]
    second.join(game)
    assert other.ask("GET", f"/v1/games/{game}").status_code == 404
    assert problem(other.move(game, "rest", 404)) == "not_there"
    assert problem(other.post(f"/v1/games/{game}/rematch", status=404)) == "not_there"
    assert first.ask("GET", f"/v1/games/{game}").status_code == 200


def test_who_has_no_seat_does_nothing(client: FlaskClient) -> None:
    game, _ = running(client)
    other = Person(client, "Carla")
    for path in ("moves", "undo", "resign", "abort", "take-back", "offer"):
        body = {"moves": {"move": "rest"}, "take-back": {"to": 4}, "offer": {"agrees": True}}.get(path, {})
        assert other.post(f"/v1/games/{game}/{path}", body, 403)["reason"] == "not_seated"


def test_what_takes_nothing_needs_no_body(client: FlaskClient) -> None:
    game, (first, _) = running(client)
    first.move(game, "play create_2")
    undone = client.post(f"/v1/games/{game}/undo", headers={"Authorization": f"Bearer {first.token}"})
    assert answer(undone, 201)["event"]["kind"] == "undone"

"""Committed chance in the life of a game: who brings what, when it is revealed, and that the deal follows from it."""

import os
from typing import Any
from uuid import UUID

import pytest
from cabildo_client.commitments import link_chain
from flask import Flask
from flask.testing import FlaskClient
from freezegun import freeze_time

from events.log.sequencer import sequence_once
from events.store.connections import connect
from projections.games.chance import ChanceLevel, check_seed, entropy_commitment
from projections.games.commitments import Commitments
from projections.games.execute_move import set_up
from projections.games.seating import turn_order
from projections.rules.dealer import RecordingDealer
from projections.rules.registry import GAMES
from projections.verify.bundle import verify
from service import settings
from service.core.command_handler import BY_SERVICE
from service.games.commands.settle import SettleTime, settle_time
from service.games.decisions import rematch
from tests.support.service.annotators import begin
from tests.support.service.players import Person, answer, in_turn, problem, running, somebody, two_at_a_table
from workers.keeper.log import SealLog


@pytest.fixture
def sealed(environ: dict[str, str]) -> Any:
    """Lets the keeper sequence and seal all events."""
    keys = {**environ, "CABILDO_LOG_KEY": environ["CABILDO_MASTER_KEY"]}
    sealing = SealLog(settings.load(environ), keys)

    def seal() -> None:
        with connect(environ["DATABASE_URL"]) as connection:
            sequence_once(connection)
            sealing(connection)

    return seal


def log_of(player: Person, game: str) -> list[dict[str, Any]]:
    """All events of a game."""
    events: list[dict[str, Any]] = answer(player.ask("GET", f"/v1/games/{game}/events"), 200)["events"]
    return events


def check_deal(events: list[dict[str, Any]]) -> Commitments:
    """Repeats the deal from commitments and revealed values, as every reader can after the game."""
    promises = Commitments(UUID(events[0]["stream"]))
    seed = bytes.fromhex(next(event["data"]["seed"] for event in events if event["kind"] == "seed_revealed"))
    created = events[0]["data"]
    for event in events:
        if event["kind"] == "game_started":
            dealer = RecordingDealer(promises.dealer(seed))
            order, _ = turn_order(created.get("first_chair"), created["seats"], dealer)
            _, deed = set_up(GAMES[created["game"]], created["options"], created["seats"], dealer)
            assert (list(order), dealer.drew) == (event["data"]["order"], event["data"]["drew"])
            assert deed.digest == event["data"]["digest"]
        promises.hear(event["kind"], event["data"])
    return promises


def finish(*people: Person, game: str) -> list[dict[str, Any]]:
    """End a game at once and read its log."""
    people[0].post(f"/v1/games/{game}/abort")
    return log_of(people[0], game)


class Secret:
    """The secrets of a client until it reveals them."""

    def __init__(self, game: dict[str, Any], chair: int, links: int = 0) -> None:
        id = UUID(game["id"])
        self.entropy = os.urandom(32)
        self.links = link_chain(id, chair, os.urandom(32), links) if links else []
        self.brought = {
            "commitment": entropy_commitment(id, chair, self.entropy).hex(),
            "echo": game["chance"]["commitment"],
            **({"chain": self.links[0].hex()} if links else {}),
        }


def careful_table(
    client: FlaskClient, level: int, links: int = 0, **more: Any
) -> tuple[dict[str, Any], list[Person], list[Secret]]:
    """A full table at level 2 or 3 whose seats have both committed."""
    anna, birgir = Person(client, "Anna"), Person(client, "Birgir")
    game = anna.create("me", "open", chance=level, commits=True, **more)
    secrets = [Secret(game, chair, links) for chair in range(2)]
    birgir.join(game["id"], **secrets[1].brought)
    return anna.join(game["id"], **secrets[0].brought), [anna, birgir], secrets


def test_the_server_commits_to_its_seed_first_and_reveals_it_last(client: FlaskClient) -> None:
    game, (first, second) = running(client)
    events = finish(first, second, game=game)
    assert events[0]["data"]["level"] == 1
    revealed = events[-1]
    assert revealed["kind"] == "seed_revealed"
    check_seed(UUID(game), bytes.fromhex(events[0]["data"]["commitment"]), bytes.fromhex(revealed["data"]["seed"]))
    assert check_deal(events).absent() == (0, 1)


def test_level_1_mixes_in_what_the_seats_send_in_clear(client: FlaskClient) -> None:
    anna, birgir = Person(client, "Anna"), Person(client, "Birgir")
    game = anna.create("me", "open", entropy="a0" * 32)["id"]
    birgir.join(game, entropy="a1" * 32)
    assert check_deal(finish(anna, game=game)).absent() == ()


def test_a_chosen_seed_is_declared_in_the_first_event(client: FlaskClient) -> None:
    anna = Person(client, "Anna")
    game = anna.create("me", "bot:random", seed="11" * 32)
    events = finish(anna, game=game["id"])
    assert events[0]["data"]["seed"] == "11" * 32
    assert (game["chance"]["level"], game["chance"]["commitment"]) == (0, None)
    assert check_deal(events).declared_seed == bytes.fromhex("11" * 32)


def test_no_seed_of_a_running_game_is_readable_anywhere(client: FlaskClient, database: str) -> None:
    game, (first, second) = running(client)
    before = str(first.ask("GET", f"/v1/games/{game}").get_json()) + str(log_of(second, game))
    with connect(database) as connection:
        kept = str(connection.execute("SELECT * FROM seeds").fetchall())
    seed = finish(first, game=game)[-1]["data"]["seed"]
    assert seed not in before
    assert bytes.fromhex(seed) not in kept.encode("latin-1", "replace")
    assert seed not in kept


def test_a_rated_game_whose_host_commits_is_at_level_2(client: FlaskClient) -> None:
    anna = Person(client, "Anna")
    assert anna.create("me", "open", rated=True, commits=True)["chance"]["level"] == 2
    assert anna.create("me", "open", rated=True)["chance"]["level"] == 1
    assert anna.create("me", "open")["chance"]["level"] == 1


@pytest.mark.parametrize(
    ("more", "named"), [({"chance": 0}, "level 1 or more"), ({"seed": "11" * 32}, "a seed chosen by the host")]
)
def test_a_rated_game_refuses_draws_that_can_be_known(client: FlaskClient, more: dict[str, Any], named: str) -> None:
    refused = somebody(client).create("me", "open", rated=True, status=422, **more)
    assert (problem(refused), named in refused["detail"]) == ("bad_options", True)


def test_a_chosen_seed_is_told_from_a_drawn_one(client: FlaskClient) -> None:
    anna = somebody(client)
    chosen = anna.create("me", "open", seed="11" * 32)
    drawn = anna.create("me", "open", chance=0)
    bound = anna.create("me", "open")
    assert [game["chance"]["chosen"] for game in (chosen, drawn, bound)] == [True, False, None]
    notes = [
        client.get(f"/games/{game['id']}", headers={"Accept": "text/html"}).text for game in (chosen, drawn, bound)
    ]
    assert [">The host chose the seed" in note for note in notes] == [True, False, False]
    assert [">The service drew the seed" in note for note in notes] == [False, True, False]
    bundle = client.get(f"/v1/games/{chosen['id']}/bundle").data
    assert "the host of the game chose the seed" in str(verify(bundle, None).answers)


def test_a_rematch_of_an_earlier_rated_game_is_bound(client: FlaskClient) -> None:
    game, first, _ = two_at_a_table(client)
    table = client.application.extensions["cabildo"].games.load(UUID(game))
    record = table.known._replace(rated=True, level=ChanceLevel.DECLARED, status="finished")
    assert rematch.proposal(table._replace(record=record), first.id).level is None


def test_level_2_starts_when_all_have_committed_and_revealed_in_that_order(client: FlaskClient, sealed: Any) -> None:
    game, people, secrets = careful_table(client, 2)
    assert (game["status"], game["chance"]["waits_for"]) == ("open", "entropies")
    path = f"/v1/games/{game['id']}/entropy"
    early = people[0].post(path, {"entropy": secrets[0].entropy.hex()}, 409)
    assert problem(early) == "not_sealed"
    sealed()
    assert people[0].post(path, {"entropy": secrets[0].entropy.hex()})["status"] == "open"
    assert people[1].post(path, {"entropy": "00" * 32}, 422)["what"] == "entropy"
    assert people[1].post(path, {"entropy": secrets[1].entropy.hex()})["status"] == "running"
    assert check_deal(finish(*people, game=game["id"])).absent() == ()


def test_a_commitment_echoes_the_one_it_answers(client: FlaskClient) -> None:
    anna, birgir = Person(client, "Anna"), Person(client, "Birgir")
    game = anna.create("me", "open", chance=2)
    secret = Secret(game, 1)
    for changes, reason in (({"echo": "00" * 32}, "echo_differs"), ({"entropy": "a1" * 32}, "entropy_not_asked")):
        assert birgir.join(game["id"], 422, **{**secret.brought, **changes})["reason"] == reason
    assert birgir.join(game["id"], 422, commitment=secret.brought["commitment"])["reason"] == "echo_missing"
    assert birgir.join(game["id"], 422, chain="00" * 32)["reason"] == "chain_not_asked"


def test_clients_that_cannot_commit_are_absent_and_nobody_waits_for_them(client: FlaskClient) -> None:
    game, people = running(client, chance=2)
    assert check_deal(finish(*people, game=game)).absent() == (0, 1)


def test_who_does_not_reveal_in_time_is_absent_and_nothing_is_dealt_again(
    app: Flask, client: FlaskClient, sealed: Any
) -> None:
    with freeze_time("2026-11-18 12:00:00") as clock:
        game, people, secrets = careful_table(client, 2)
        sealed()
        people[1].post(f"/v1/games/{game['id']}/entropy", {"entropy": secrets[1].entropy.hex()})
        clock.tick(121)
        started = answer(people[0].ask("GET", f"/v1/games/{game['id']}"), 200)
        assert started["status"] in ("open", "running")
        late = people[0].post(f"/v1/games/{game['id']}/entropy", {"entropy": secrets[0].entropy.hex()}, 422)
        assert late["reason"] == "not_closed"
        events = finish(*people, game=game["id"])
    assert [event["data"] for event in events if event["kind"] == "entropy_revealed"][1] == {
        "chair": 0,
        "entropy": None,
    }
    assert check_deal(events).absent() == (0,)


def test_who_promised_a_commitment_and_never_sent_it_is_absent(client: FlaskClient) -> None:
    with freeze_time("2026-11-18 12:00:00") as clock:
        anna, birgir = Person(client, "Anna"), Person(client, "Birgir")
        game = anna.create("me", "open", chance=2, commits=True)
        waiting = birgir.join(game["id"])
        assert (waiting["status"], waiting["chance"]["waits_for"]) == ("open", "commitments")
        clock.tick(121)
        settle_time(client.application.extensions["cabildo"], SettleTime(UUID(game["id"])), BY_SERVICE)
        assert answer(birgir.ask("GET", f"/v1/games/{game['id']}"), 200)["status"] == "running"
        events = finish(anna, game=game["id"])
    assert check_deal(events).absent() == (0, 1)


def test_a_rematch_can_be_promised_a_commitment_like_a_new_game(client: FlaskClient, sealed: Any) -> None:
    game, people = running(client, chance=2)
    finish(*people, game=game)
    for person in people:
        again = person.post(f"/v1/games/{game}/rematch", {"commits": True})
    assert [seat["promised"] for seat in again["seats"]] == [True, True]
    assert again["chance"]["waits_for"] == "commitments"


def test_at_level_3_every_move_shows_a_link_and_draws_mix_the_newest_ones(client: FlaskClient, sealed: Any) -> None:
    game, people, secrets = careful_table(client, 3, links=4)
    sealed()
    for player, secret in zip(people, secrets, strict=True):
        started = player.post(f"/v1/games/{game['id']}/entropy", {"entropy": secret.entropy.hex()})
    order = in_turn(started, *people)
    first = secrets[people.index(order[0])]
    assert order[0].move(game["id"], "buy 1", 422)["what"] == "link"
    assert order[0].move(game["id"], "buy 1", 422, link=first.links[2].hex())["what"] == "link"
    made = order[0].move(game["id"], "buy 1", link=first.links[1].hex())
    promises = Commitments(UUID(game["id"]))
    events = finish(*people, game=game["id"])
    seed = bytes.fromhex(events[-1]["data"]["seed"])
    for event in events:
        promises.hear(
            event["kind"], {**event["data"], "drew": []} if event["seq"] == made["version"] else event["data"]
        )
        if event["seq"] == made["version"]:
            board = set_up_again(events, seed)
            dealer = RecordingDealer(promises.dealer(seed))
            dealer.draw(dict.fromkeys(board, 1))
            assert dealer.drew == event["data"]["drew"]
            promises.draws += len(dealer.drew)
    assert check_deal(events).links[people.index(order[0])].number == 1


def set_up_again(events: list[dict[str, Any]], seed: bytes) -> list[str]:
    """The merchant cards that were face down after the start."""
    promises = Commitments(UUID(events[0]["stream"]))
    created = events[0]["data"]
    for event in events:
        if event["kind"] == "game_started":
            dealer = promises.dealer(seed)
            turn_order(None, created["seats"], dealer)
            position, _ = set_up(GAMES[created["game"]], created["options"], created["seats"], dealer)
            return list(position.merchant_deck)
        promises.hear(event["kind"], event["data"])
    raise AssertionError("the game never started")


@pytest.mark.parametrize("level", [2, 3])
def test_a_variation_has_the_draws_of_the_game_again_once_all_is_revealed(
    client: FlaskClient, sealed: Any, level: int
) -> None:
    table, people, secrets = careful_table(client, level, links=8 if level == 3 else 0, leaver="forfeit")
    game = table["id"]
    sealed()
    for person, secret in zip(people, secrets, strict=True):
        started = person.post(f"/v1/games/{game}/entropy", {"entropy": secret.entropy.hex()})
    order = in_turn(started, *people)
    for number in range(4):
        mover = order[number % 2]
        links = secrets[people.index(mover)].links
        link: dict[str, Any] = {"link": links[number // 2 + 1].hex()} if links else {}
        mover.move(game, "buy 1", **link)
    people[0].post(f"/v1/games/{game}/resign")
    events = log_of(people[0], game)
    study = begin(people[0], game)
    moved = [event for event in events if event["kind"] == "moved"]
    for event in moved:
        study.play(str(event["seq"] - 1), "buy 1", chance="same")
    nodes = study.chapter()["nodes"]
    assert [node["drew"] for node in nodes] == [event["data"]["drew"] for event in moved]
    assert {node["chance"] for node in nodes} == {"same"}

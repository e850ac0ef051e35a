"""Reading over HTTP: boards at every version through the right eyes, legal moves, the log, replays."""

import gzip
import json
from typing import Any
from urllib.parse import urlencode

from flask.testing import FlaskClient

from tests.support.service.players import Person, answer, problem, somebody, two_at_a_table


def read(client: FlaskClient, path: str, status: int = 200, **headers: str) -> Any:
    """Returns the answer to an anonymous client."""
    return answer(client.get(path, headers={name.replace("_", "-"): value for name, value in headers.items()}), status)


def a_played_game(client: FlaskClient, moves: int = 6, **more: Any) -> tuple[str, Person, Person]:
    """A running game of two with some moves made."""
    game, first, second = two_at_a_table(client, **more)
    for number in range(moves):
        (first, second)[number % 2].move(game, ("play create_2", "play upgrade_2", "rest")[number // 2])
    return game, first, second


def test_the_board_is_the_newest_or_the_one_after_any_event(client: FlaskClient) -> None:
    game, first, _ = a_played_game(client)
    now = read(client, f"/v1/games/{game}/position")
    assert (now["version"], now["game"], now["viewer"], now["hides"]) == (10, "spice_road", None, [])
    assert now["players"][0]["played"] == []
    then = read(client, f"/v1/games/{game}/position?at=8")
    assert (then["version"], then["players"][0]["played"]) == (8, ["create_2", "upgrade_2"])
    assert first.ask("GET", f"/v1/games/{game}/position").get_json()["viewer"] == 0
    assert problem(read(client, f"/v1/games/{game}/position?at=11", 404)) == "not_there"
    assert problem(read(client, f"/v1/games/{game}/position?at=2", 404)) == "not_there"


def test_the_board_is_told_in_words_to_who_asks_for_plain_text(client: FlaskClient) -> None:
    game, first, _ = a_played_game(client)
    path, plain = f"/v1/games/{game}/position", {"Accept": "text/plain", "Accept-Language": "is"}
    told = client.get(path, headers=plain)
    assert told.content_type == "text/plain; charset=utf-8"
    assert told.get_data(as_text=True) != first.ask("GET", path, **plain).get_data(as_text=True)
    english = client.get(path, headers={"Accept": "text/plain"})
    assert english.get_data(as_text=True).startswith("Century: Spice Road")
    assert english.headers["ETag"] != told.headers["ETag"]
    assert "Accept" in english.headers["Vary"]


def test_a_view_that_hides_nothing_is_a_position_to_analyse(client: FlaskClient) -> None:
    game, _, _ = a_played_game(client)
    shown = read(client, f"/v1/games/{game}/position")
    assert {"round", "merchant_row", "players"} <= shown.keys()


def test_hidden_hands_are_seen_by_their_owner_alone_until_the_game_is_over(client: FlaskClient) -> None:
    game, first, second = a_played_game(client, options={"hand_visibility": "owner_only"})
    path = f"/v1/games/{game}/position"
    for reader, own, other in ((first, 0, 1), (second, 1, 0)):
        shown = reader.ask("GET", path).get_json()
        assert shown["players"][own]["hand"]
        assert shown["players"][other]["hand"] is None
        assert f"players[{other}].hand" in shown["hides"]
    assert [player["hand"] for player in read(client, path)["players"]] == [None, None]
    for eyes in ("1", "all"):
        assert problem(first.ask("GET", f"{path}?as={eyes}").get_json()) == "not_allowed"
    assert second.ask("GET", f"{path}?as=1").status_code == 200
    assert first.ask("GET", f"{path}?as=2").status_code == 404


def test_legal_moves_come_with_words_in_the_readers_language(client: FlaskClient) -> None:
    game, _, _ = a_played_game(client, moves=1)
    told = {
        tongue: read(client, f"/v1/games/{game}/legal", accept_language=tongue) for tongue in ("en", "is;q=0.9, fr")
    }
    english, icelandic = told.values()
    assert (english["version"], english["seat"], english["decision"]) == (5, 1, "action")
    assert [offer["move"] for offer in english["moves"]] == [offer["move"] for offer in icelandic["moves"]]
    assert [offer["label"] for offer in english["moves"]] != [offer["label"] for offer in icelandic["moves"]]


def test_the_log_is_read_page_by_page(client: FlaskClient) -> None:
    game, _, _ = a_played_game(client)
    numbers, after = [], 0
    while page := read(client, f"/v1/games/{game}/events?after={after}&limit=4"):
        if not page["events"]:
            break
        numbers += [event["seq"] for event in page["events"]]
        after = page["next"]
    assert numbers == [*range(1, 11)]
    assert page == {"events": [], "next": 10}


def test_a_replay_notes_who_left_and_how_the_game_ended(client: FlaskClient) -> None:
    game, ada, _ = two_at_a_table(client, leaver="forfeit")
    ada.post(f"/v1/games/{game}/resign")
    notes = noted(client, game)
    assert [(note["kind"], note["seat"], note["cause"]) for note in notes] == [
        ("resigned", 0, "forfeit"),
        ("game_ended", None, "forfeit"),
    ]
    assert notes[1:] == read(client, f"/v1/games/{game}/replay?after={notes[0]['version']}")["notes"]


def test_a_replay_notes_who_aborted_it(client: FlaskClient) -> None:
    game, _, ben = two_at_a_table(client)
    ben.post(f"/v1/games/{game}/abort")
    assert [(note["kind"], note["seat"], note["cause"]) for note in noted(client, game)] == [
        ("game_aborted", 1, "early")
    ]


def noted(client: FlaskClient, game: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = read(client, f"/v1/games/{game}/replay")["notes"]
    return found


def test_a_replay_tells_every_step_and_who_gained_what(client: FlaskClient) -> None:
    game, _, _ = a_played_game(client)
    told = read(client, f"/v1/games/{game}/replay")
    assert [step["move"] for step in told["steps"]] == [
        None,
        *["play create_2"] * 2,
        *["play upgrade_2"] * 2,
        *["rest"] * 2,
    ]
    second = told["steps"][2]
    assert (second["seat"], second["version"], second["gains"][0]) == (1, 6, {})
    assert second["gains"][1] == {"caravan.turmeric": 2, "hand.create_2": -1, "hand_count": -1, "played.create_2": 1}
    assert second["label"]
    assert second["scores"][1]["total"] == 0
    assert told["steps"][-1]["position"] | {"version": 10} == read(client, f"/v1/games/{game}/position")


def test_a_replay_may_come_line_by_line_without_boards_and_in_part(client: FlaskClient) -> None:
    game, _, _ = a_played_game(client)
    path = f"/v1/games/{game}/replay?after=7&positions=false"
    lines = client.get(path, headers={"Accept": "application/x-ndjson"})
    assert lines.content_type == "application/x-ndjson"
    steps = [json.loads(line) for line in lines.text.splitlines()]
    assert [step["version"] for step in steps] == [8, 9, 10]
    assert all("position" not in step for step in steps)


def test_what_has_not_changed_is_not_sent_again(client: FlaskClient) -> None:
    game, first, second = a_played_game(client)
    for what in ("", "/position", "/legal", "/replay", "/events"):
        path = f"/v1/games/{game}{what}"
        tag = client.get(path).headers["ETag"]
        again = client.get(path, headers={"If-None-Match": tag})
        assert (again.status_code, again.data, again.headers["ETag"]) == (304, b"", tag)
        assert second.ask("GET", path).status_code == 200
    tags = {what: client.get(f"/v1/games/{game}{what}").headers["ETag"] for what in ("", "/position", "/replay")}
    first.move(game, "play create_2")
    for what, tag in tags.items():
        assert client.get(f"/v1/games/{game}{what}", headers={"If-None-Match": tag}).status_code == 200


def test_another_name_of_a_player_is_a_change_of_the_game(client: FlaskClient) -> None:
    game, anna, _ = two_at_a_table(client)
    tag = client.get(f"/v1/games/{game}").headers["ETag"]
    answer(anna.ask("PATCH", "/v1/me", {"name": "Another name"}), 200)
    changed = client.get(f"/v1/games/{game}", headers={"If-None-Match": tag})
    assert "Another name" in changed.get_data(as_text=True)


def test_documents_are_compressed_for_readers_who_take_them_so(client: FlaskClient) -> None:
    game, _, _ = a_played_game(client)
    for what in ("/position", "/replay", "/events", "/legal"):
        path = f"/v1/games/{game}{what}"
        plain, packed = client.get(path), client.get(path, headers={"Accept-Encoding": "gzip"})
        assert "Content-Encoding" not in plain.headers
        assert packed.headers["Content-Encoding"] == "gzip"
        assert gzip.decompress(packed.data) == plain.data
        assert len(packed.data) < len(plain.data) / 2
        assert "Accept-Encoding" in packed.vary
        assert packed.headers["ETag"] == plain.headers["ETag"]


def test_a_private_game_is_nobody_elses_to_know_of(client: FlaskClient) -> None:
    first, guest = somebody(client), somebody(client)
    game = first.create("me", guest.id, visibility="private")["id"]
    guest.join(game)
    for what in ("", "/position", "/legal", "/replay", "/events"):
        path = f"/v1/games/{game}{what}"
        assert problem(read(client, path, 404)) == "not_there"
        assert somebody(client).ask("GET", path).status_code == 404
        assert first.ask("GET", path).status_code == 200


def test_spectators_may_be_kept_behind_until_the_game_is_over(client: FlaskClient) -> None:
    game, first, second = a_played_game(client, spectator_delay=3, leaver="forfeit")
    paths = {what: f"/v1/games/{game}{what}" for what in ("", "/position", "/legal")}
    assert [read(client, path)["version"] for path in paths.values()] == [7, 7, 7]
    assert [second.ask("GET", path).get_json()["version"] for path in paths.values()] == [10, 10, 10]
    assert read(client, f"/v1/games/{game}/events")["next"] == 7
    assert len(read(client, f"/v1/games/{game}/replay")["steps"]) == 4
    assert problem(read(client, f"/v1/games/{game}/position?at=8", 404)) == "not_there"
    first.post(f"/v1/games/{game}/resign")
    last = second.ask("GET", f"/v1/games/{game}/events").get_json()["next"]
    assert last > 10
    assert read(client, f"/v1/games/{game}/events")["next"] == last


def test_a_token_that_is_not_valid_reads_nothing(client: FlaskClient) -> None:
    game, _, _ = a_played_game(client)
    assert problem(read(client, f"/v1/games/{game}", 401, authorization="Bearer cab_wrong")) == "unauthenticated"


def test_moves_taken_back_are_folded_away_or_shown(client: FlaskClient) -> None:
    game, first, second = a_played_game(client, moves=1)
    first.post(f"/v1/games/{game}/undo")
    path = f"/v1/games/{game}/replay"
    assert [step["version"] for step in read(client, path)["steps"]] == [4]
    shown = read(client, f"{path}?undone=true")["steps"]
    assert [(step["version"], step["kept"], step["back_to"]) for step in shown] == [
        (4, True, None),
        (5, False, None),
        (6, True, 4),
    ]
    assert second.move(game, "play create_2", 422)["type"].endswith("not_your_turn")


def test_why_a_move_is_not_open_is_told_in_the_readers_language(client: FlaskClient) -> None:
    game, first, _ = two_at_a_table(client)
    asked = f"/v1/games/{game}/legal?why_not=rest&why_not=play+create_2"
    english, icelandic = (read(client, asked, accept_language=tongue)["refused"] for tongue in ("en", "is"))
    assert [(why["move"], why["reason"]) for why in english] == [("rest", "no_played_cards")]
    assert english[0]["sentence"] != icelandic[0]["sentence"]
    assert first.ask("GET", f"/v1/games/{game}/legal?why_not=nonsense").status_code == 400


def test_each_move_of_several_why_nots_is_answered(client: FlaskClient) -> None:
    game, _, _ = two_at_a_table(client)
    wishes = ["claim 1", "play create_2", "rest", "claim 1"]
    told = read(client, f"/v1/games/{game}/legal?{urlencode([('why_not', wish) for wish in wishes])}")
    assert [(one["move"], one["open"]) for one in told["asked"]] == [(w, w == "play create_2") for w in wishes]
    assert [why["move"] for why in told["refused"]] == ["claim 1", "rest", "claim 1"]
    assert all(why["reason"] and why["sentence"] for why in told["refused"])
    assert "asked" not in read(client, f"/v1/games/{game}/legal")

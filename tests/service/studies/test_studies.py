"""Studies over HTTP: what is said at events of a game stays there, who says it may be several."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.support.service.annotators import a_finished_game, a_running_game, begin, with_writers
from tests.support.service.players import answer, problem, somebody
from tests.support.service.shared_fixtures import client, environ

__all__ = ["client", "environ"]  # shared by the tests of this module


def test_a_study_has_chapters_of_games_and_comments_by_several_authors(client: FlaskClient) -> None:
    game, first, second = a_finished_game(client)
    study = with_writers(begin(first, game), second)
    study.say("6", "Why not **rest**?")
    study.by(second).say("6", "I had nothing to take up.", eyes=1)
    told = study.chapter()
    assert (told["title"], told["game"], told["of"], told["runs"]) == ("A study", "spice_road", game, False)
    mine, theirs = told["notes"]["6"]["comments"]
    assert (mine["author"]["name"], theirs["author"]["name"]) == (first.name, second.name)
    assert mine["html"] == "<p>Why not <strong>rest</strong>?</p>\n"
    assert (mine["eyes"], theirs["eyes"]) == (None, 1)


def test_nobody_sees_through_the_eyes_of_a_seat_that_is_not_at_the_table(client: FlaskClient) -> None:
    game, first, _ = a_finished_game(client)
    study = begin(first, game)
    position = first.ask("GET", f"/v1/games/{game}/position?at=6").get_json()
    for edit in (
        {"do": "change_chapter", "chapter": 1, "eyes": 2},
        {"do": "comment", "chapter": 1, "at": "6", "text": "as nobody", "eyes": 2},
        {"do": "add_chapter", "title": "Nobody", "of": game, "eyes": 2},
        {"do": "add_chapter", "title": "Nobody", "game": "spice_road", "position": position, "eyes": 2},
    ):
        refused = first.post(f"{study.path}/edits", {"edits": [edit], "saw": 2**40}, 404)
        assert (problem(refused), refused["what"], refused["name"]) == ("not_there", "seat", "2")
    study.edit("change_chapter", chapter=1, eyes=1)


def test_a_comment_hangs_on_the_hash_of_its_event(client: FlaskClient) -> None:
    game, first, _ = a_finished_game(client)
    study = begin(first, game)
    events = answer(client.get(f"/v1/games/{game}/events"), 200)["events"]
    study.say("6", "here", hash=events[5]["hash"])
    assert study.chapter()["hashes"] == {"6": events[5]["hash"]}
    refused = study.edit("comment", 409, chapter=1, at="6", text="there", hash="ab" * 32)
    assert (problem(refused), refused["seq"]) == ("another_history", 6)
    assert problem(study.edit("comment", 404, chapter=1, at="999", text="nowhere")) == "not_there"
    assert problem(study.edit("comment", 404, chapter=1, at="v9", text="nowhere")) == "not_there"


def test_what_is_said_stays_where_it_was_said_when_the_move_is_taken_back(client: FlaskClient) -> None:
    game, first, _ = a_running_game(client, 5)
    study = begin(first, game)
    study.say("9", "a slip")
    before = study.read("/chapters/1/board?at=9&as=0")["position"]
    first.post(f"/v1/games/{game}/undo")
    first.move(game, "play create_2", 422)
    assert study.said("9") == ["a slip"]
    assert study.read("/chapters/1/board?at=9&as=0")["position"] == before


def test_glyphs_and_markers_name_what_is_on_the_board(client: FlaskClient) -> None:
    game, first, second = a_finished_game(client)
    study = with_writers(begin(first, game), second)
    marker = {"on": "players[0].caravan.turmeric", "kind": "good"}
    arrow = {"on": "merchant_row[0]", "kind": "look", "to": "players[1]"}
    study.edit("mark", chapter=1, at="6", glyphs=[3, 16, 220], markers=[marker, arrow])
    study.by(second).edit("mark", chapter=1, at="6", glyphs=[4], markers=[])
    marks = study.note("6")["marks"]
    assert [(one["author"]["id"], one["glyphs"]) for one in marks] == [(first.id, [3, 16, 220]), (second.id, [4])]
    assert marks[0]["markers"] == [{**marker, "to": None}, arrow]
    nowhere = {"on": "players[7]", "kind": "good"}
    refused = study.edit("mark", 422, chapter=1, at="6", glyphs=[], markers=[nowhere])
    assert (problem(refused), refused["reason"]) == ("study_refused", "unknown_part")
    assert study.edit("mark", 422, chapter=1, at="6", glyphs=[99], markers=[])["reason"] == "unknown_glyph"
    study.edit("mark", chapter=1, at="6", glyphs=[], markers=[], by=second.id)
    assert [one["author"]["id"] for one in study.note("6")["marks"]] == [first.id]


def test_a_place_for_goods_is_on_the_board_while_none_lie_there(client: FlaskClient) -> None:
    dealt = answer(client.post("/v1/analysis", json={"game": "puerto_rico", "seats": 3, "seed": "a"}), 200)
    study = begin(somebody(client))
    chapter = study.made("add_chapter", title="Dealt", game="puerto_rico", position=dealt["position"])["chapter"]
    for on, status in (("players[0].goods.coffee", 201), ("supply.goods.tea", 422), ("players[0].goods.supply", 422)):
        study.edit("mark", status, chapter=chapter, at="v0", glyphs=[], markers=[{"on": on, "kind": "look"}])


def test_variations_are_judged_by_the_rules_and_may_branch_again(client: FlaskClient) -> None:
    game, first, _ = a_finished_game(client)
    study = begin(first, game)
    line = study.play("4", "play upgrade_2", "play upgrade_2")
    other = study.play(line[0], "play create_2")
    assert study.play("4", "play upgrade_2") == line[:1]  # the same move is the same node
    nodes = {node["node"]: node for node in study.chapter()["nodes"]}
    assert [nodes[node]["parent"] for node in (*line, *other)] == ["4", line[0], line[0]]
    assert nodes[other[0]]["label"] == "played “create 2”: took 2 turmeric"
    refused = study.edit("play", 422, chapter=1, at=line[0], moves=["rest", "claim 9"])
    assert (problem(refused), refused["line"], bool(refused["legal"])) == ("impossible_line", 1, True)
    board = study.read(f"/chapters/1/board?at={other[0]}&as=0&legal=true")
    assert (board["turn"]["seat"], board["position"]["viewer"]) == (0, 0)
    assert [move for move in board["legal"]["moves"] if move["move"] == "rest"]


def test_variations_are_promoted_demoted_and_deleted(client: FlaskClient) -> None:
    game, first, _ = a_finished_game(client)
    study = begin(first, game)
    one, two = study.play("4", "play upgrade_2")[0], study.play("4", "play create_2")[0]
    below = study.play(two, "play create_2")[0]
    study.say(below, "deep inside")

    def ranks() -> dict[str, int]:
        return {node["node"]: node["rank"] for node in study.chapter()["nodes"] if node["parent"] == "4"}

    assert ranks() == {one: 0, two: 1}
    study.edit("rank", chapter=1, node=two, rank=0)
    assert ranks() == {two: 0, one: 1}
    study.edit("rank", chapter=1, node=two, rank=9)
    assert ranks() == {one: 0, two: 1}
    study.edit("delete_node", chapter=1, node=two)
    left = study.chapter()
    assert ([node["node"] for node in left["nodes"]], left["notes"]) == ([one], {})


def test_draws_in_a_variation_are_replayed_declared_or_random(client: FlaskClient) -> None:
    game, first, _ = a_finished_game(client)
    study = begin(first, game)
    events = answer(client.get(f"/v1/games/{game}/events"), 200)["events"]
    drawing = "buy 1"
    same = study.play("4", drawing, chance="same")[0]
    again = study.play("4", drawing, chance="same")[0]
    assert same == again
    node = study.chapter()["nodes"][0]
    assert (node["chance"], len(node["drew"])) == ("same", 1)
    assert events[3]["data"]["drew"]
    wrong = study.edit("play", 422, chapter=1, at="4", moves=[drawing], chance="declared", draws=["nothing"])
    possible = wrong["possible"]
    declared = study.play("4", drawing, chance="declared", draws=possible[:1])[0]
    left = study.edit("play", 422, chapter=1, at="4", moves=[drawing], chance="declared", draws=possible[:2])
    assert problem(left) == "needless_draw"
    random = study.play("4", drawing, chance="random", seed="5a" * 16)[0]
    nodes = {node["node"]: node for node in study.chapter()["nodes"]}
    assert nodes[declared]["drew"] == possible[:1]
    assert random in nodes


def test_an_analysis_begins_at_any_position(client: FlaskClient) -> None:
    game, first, _ = a_finished_game(client)
    position = first.ask("GET", f"/v1/games/{game}/position?at=6").get_json()
    study = begin(first)
    added = study.made("add_chapter", title="What if", game="spice_road", position=position)
    node = study.play("v0", "play upgrade_2", chapter=added["chapter"])[0]
    study.say("v0", "Begin here.", chapter=added["chapter"])
    told = study.chapter(added["chapter"])
    assert (told["of"], told["nodes"][0]["node"], told["nodes"][0]["parent"]) == (None, node, "v0")
    spoilt = {**position, "players": []}
    refused = study.edit("add_chapter", 422, title="No", game="spice_road", position=spoilt)
    assert problem(refused) == "impossible_position"
    assert study.edit("play", 422, chapter=1, at="v0", moves=["rest"], chance="same")["reason"] == "no_same_draws"


def test_a_lesson_keeps_its_answers_and_judges_what_is_found(client: FlaskClient) -> None:
    game, first, _ = a_finished_game(client)
    reader = somebody(client)
    study = begin(first, game, visibility="public")
    study.edit("change_chapter", chapter=1, lesson=True)
    question = {
        "text": "What did seat 0 play?",
        "answers": [{"move": "play create_2", "reply": "Two *turmeric*."}],
        "hints": ["Yellow."],
        "otherwise": "No.",
    }
    study.edit("ask", chapter=1, at="4", question=question)
    seen = study.by(reader).note("4")["question"]
    assert (seen["text"], seen["answers"], seen["otherwise"], seen["hints"]) == (
        question["text"],
        None,
        None,
        ["Yellow."],
    )
    assert study.note("4")["question"]["answers"] == question["answers"]

    def find(move: str, status: int = 200) -> dict[str, Any]:
        return reader.post(f"{study.path}/chapters/1/answers", {"at": "4", "move": move}, status)

    right, wrong = find("Play  create_2"), find("play upgrade_2")
    assert (right["right"], right["move"], right["html"]) == (True, "play create_2", "<p>Two <em>turmeric</em>.</p>\n")
    assert (wrong["right"], wrong["text"]) == (False, "No.")
    known = study.by(reader).read(f"/chapters/1?tickets={right['ticket']}")["notes"]["4"]["question"]
    assert (known["open"], known["answers"]) == (False, question["answers"])
    assert problem(find("buy 1 y", 422)) == "illegal_move"
    study.edit("ask", chapter=1, at="4", question=None)
    assert problem(find("rest", 404)) == "not_there"


def test_roles_say_who_does_what(client: FlaskClient) -> None:
    game, owner, writer = a_finished_game(client)
    reader, stranger = somebody(client), somebody(client)
    study = with_writers(begin(owner, game, visibility="private"), writer)
    study.edit("member", player=reader.name, role="reader")
    mine = study.say("6", "mine")
    assert study.by(reader).said("6") == ["mine"]
    assert study.by(reader).edit("comment", 403, chapter=1, at="6", text="no")["reason"] == "not_writer"
    assert study.by(writer).edit("settle", 403, title="no")["reason"] == "not_owner"
    again: dict[str, Any] = {"chapter": 1, "at": "6", "comment": mine}
    assert study.by(writer).edit("comment", 403, text="no", **again)["reason"] == "not_yours"
    assert problem(study.by(stranger).read(status=404)) == "not_there"
    assert problem(study.by(stranger).edit("comment", 404, chapter=1, at="6", text="no")) == "not_there"
    assert study.edit("member", 422, player=owner.id, role="reader")["reason"] == "last_owner"
    study.by(reader).edit("member", player=reader.id, role=None)
    assert problem(study.by(reader).read(status=404)) == "not_there"
    study.edit("settle", visibility="unlisted")
    assert study.by(stranger).read()["role"] is None


def test_nothing_is_overwritten_that_was_not_seen(client: FlaskClient) -> None:
    game, first, _ = a_finished_game(client)
    study = begin(first, game)
    comment = study.say("6", "one")
    seen = study.read()["version"]
    place: dict[str, Any] = {"chapter": 1, "at": "6", "comment": comment}
    study.edit("comment", saw=seen, text="two", **place)
    refused = study.edit("comment", 409, saw=seen, text="three", **place)
    assert (problem(refused), refused["what"], refused["current"]["text"]) == ("edit_conflict", "comment", "two")
    assert refused["version"] == seen + 1
    study.edit("comment", saw=seen, chapter=1, at="8", text="another place")
    study.edit("mark", saw=seen, chapter=1, at="6", glyphs=[1], markers=[])
    assert study.edit("delete_chapter", 409, saw=seen, chapter=1)["what"] == "chapter"
    node = study.play("4", "play upgrade_2")[0]
    saw = study.read()["version"]
    study.say(node, "wait, this is good")
    refused = study.edit("delete_node", 409, saw=saw, chapter=1, node=node)
    assert (refused["what"], refused["current"]) == ("node", {"at": node})


def test_edits_are_made_all_or_none_and_once_per_key(client: FlaskClient) -> None:
    game, first, _ = a_finished_game(client)
    study = begin(first, game)
    good = {"do": "comment", "chapter": 1, "at": "6", "text": "good"}
    bad = {"do": "comment", "chapter": 9, "at": "6", "text": "bad"}
    first.post(f"{study.path}/edits", {"edits": [good, bad], "saw": 0}, 404)
    assert study.said("6") == []
    once = [first.post(f"{study.path}/edits", {"edits": [good], "saw": 0}, Idempotency_Key="k") for _ in range(2)]
    assert once[0] == once[1]
    assert study.said("6") == ["good"]


def test_a_deleted_comment_is_erased_and_a_chapter_with_all_its_texts(client: FlaskClient) -> None:
    game, first, _ = a_finished_game(client)
    study = begin(first, game)
    one = study.say("6", "to be forgotten")
    study.say("8", "this too")
    study.edit("delete_comment", chapter=1, at="6", comment=one)
    assert kept_texts(client, study.id) == {"A study", "this too"}
    study.edit("delete_chapter", chapter=1)
    assert kept_texts(client, study.id) == {"A study"}


def kept_texts(client: FlaskClient, study: str) -> set[str]:
    with client.application.extensions["cabildo"].stores.pool.connection() as connection:
        return {text for (text,) in connection.execute("SELECT text FROM texts WHERE stream = %s", (study,))}


def test_a_clone_holds_what_was_there_and_grows_by_itself(client: FlaskClient) -> None:
    game, first, second = a_finished_game(client)
    other = somebody(client)
    study = with_writers(begin(first, game, title="Openings", visibility="public"), second)
    line = study.play("4", "play upgrade_2", "play create_2")
    study.by(second).say(line[1], "a fine line")
    study.edit("mark", chapter=1, at="6", glyphs=[5], markers=[])
    made = other.post(f"{study.path}/clones", {"visibility": "private"})
    copy = study.by(other)
    copy = type(study)(other, made["study"])
    told = copy.chapter()
    assert (copy.read()["cloned_from"], copy.read()["role"]) == (study.id, "owner")
    assert [node["move"] for node in told["nodes"]] == ["play upgrade_2", "play create_2"]
    (note,) = (note for place, note in told["notes"].items() if place.startswith("v"))
    assert [(one["text"], one["author"]["id"]) for one in note["comments"]] == [("a fine line", second.id)]
    copy.say("6", "mine alone")
    assert study.said("6") == []


def test_chapters_are_ordered_renamed_and_limited(client: FlaskClient) -> None:
    game, first, _ = a_finished_game(client)
    study = begin(first, game, game)
    study.edit("change_chapter", chapter=2, before=1, title="First of all")
    assert [(one["chapter"], one["title"]) for one in study.read()["chapters"]] == [(2, "First of all"), (1, "A study")]
    many = [{"do": "add_chapter", "title": "more", "of": game} for _ in range(63)]
    refused = first.post(f"{study.path}/edits", {"edits": many, "saw": 0}, 422)
    assert (problem(refused), refused["limit"]) == ("limit_reached", 64)


@pytest.mark.parametrize(
    "edit",
    [
        {"do": "sing"},
        {"do": "comment", "chapter": 1, "at": "6"},
        {"do": "comment", "chapter": 1, "at": "6", "text": ""},
        {"do": "comment", "chapter": 1, "at": "6", "text": "a\x00b"},
        {"do": "comment", "chapter": 1, "at": "6", "text": "x" * 10_001},
        {"do": "comment", "chapter": 1, "at": "v01", "text": "x"},
        {"do": "comment", "chapter": 1, "at": "6", "text": "x", "eyes": 7},
        {"do": "settle", "chapter": 1},
        {"do": "add_chapter", "title": "neither game nor position"},
        {"do": "mark", "chapter": 1, "at": "6", "glyphs": [1] * 9, "markers": []},
        {"do": "mark", "chapter": 1, "at": "6", "glyphs": [], "markers": [{"on": "a b", "kind": "good"}]},
        {"do": "play", "chapter": 1, "at": "6", "moves": ["rest"] * 401},
    ],
)
def test_what_is_no_edit_is_refused_by_field(client: FlaskClient, edit: dict[str, Any]) -> None:
    game, first, _ = a_finished_game(client)
    study = begin(first, game)
    refused = first.post(f"{study.path}/edits", {"edits": [edit], "saw": 0}, 422)
    assert problem(refused) == "invalid_request"

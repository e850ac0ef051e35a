"""Tables with the same deal are closed to others until the last has ended: at every way into a game."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple
from uuid import UUID, uuid4

import pytest
from click.testing import CliRunner
from flask import Flask
from werkzeug.test import TestResponse

from deploy.cli import main
from events.store.connections import connect
from service.games.shared_deals import closed_among, opened_to
from service.i18n.phrases import phrase
from service.players.commands.tokens import store_token
from tests.support.databases import updates_of
from tests.support.service.followed_streams import followed, following_game
from tests.support.service.players import Person, answer, problem
from tests.support.service.scriptless_browser import BROWSER, Visitor
from tests.support.service.tournament_fixture import Hall

PAIRS = {"format": "swiss", "rounds": 2, "sizes": [2]}
CLOSED: Final = "table_closed_until_deal_ends"
OPEN_TO_ITS_PLAYERS: Final = "refused, for the client has no seat"
OF_ADMINISTRATORS: Final = "refused, for it takes an administrator's token"

# Every route with the id of a game: the request of a client without access to the table, and its refusal.
WAYS: Final[dict[tuple[str, str], tuple[dict[str, Any], str]]] = {
    ("GET", "/v1/games/<uuid:game>"): ({}, CLOSED),
    ("GET", "/v1/games/<uuid:game>/position"): ({}, CLOSED),
    ("GET", "/v1/games/<uuid:game>/legal"): ({}, CLOSED),
    ("GET", "/v1/games/<uuid:game>/events"): ({}, CLOSED),
    ("GET", "/v1/games/<uuid:game>/replay"): ({}, CLOSED),
    ("GET", "/v1/games/<uuid:game>/record"): ({}, CLOSED),
    ("GET", "/v1/games/<uuid:game>/bundle"): ({}, CLOSED),
    ("GET", "/v1/games/<uuid:game>/studies"): ({}, CLOSED),
    ("GET", "/v1/games/<uuid:game>/analyses"): ({}, CLOSED),
    ("GET", "/v1/games/<uuid:game>/outline"): ({}, CLOSED),
    ("GET", "/v1/games/<uuid:game>/points"): ({}, CLOSED),
    ("GET", "/v1/games/<uuid:game>/talk"): ({}, CLOSED),
    ("POST", "/v1/games/<uuid:game>/talk"): ({"text": "a good deal"}, CLOSED),
    ("PUT", "/v1/games/<uuid:game>/talk/read"): ({"number": 0}, CLOSED),
    ("PUT", "/v1/games/<uuid:game>/talk/rooms"): ({"room": "players", "closed": True}, CLOSED),
    ("DELETE", "/v1/games/<uuid:game>/talk/<int:number>"): ({}, CLOSED),
    ("POST", "/v1/games/<uuid:game>/analyses"): ({}, CLOSED),
    ("POST", "/v1/games/<uuid:game>/record"): ({"lines": "rest", "expected": 1}, CLOSED),
    ("POST", "/v1/games/<uuid:game>/seats"): ({}, CLOSED),
    ("POST", "/v1/games/<uuid:game>/entropy"): ({"entropy": "00" * 32}, CLOSED),
    ("POST", "/v1/games/<uuid:game>/rematch"): ({"expected": 1}, CLOSED),
    ("POST", "/v1/games/<uuid:game>/abort"): ({"expected": 1}, CLOSED),
    ("DELETE", "/v1/games/<uuid:game>/seats/mine"): ({}, CLOSED),
    ("POST", "/v1/challenges/<uuid:game>/accept"): ({}, CLOSED),
    ("POST", "/v1/challenges/<uuid:game>/decline"): ({}, CLOSED),
    ("POST", "/v1/games/<uuid:game>/moves"): ({"move": "rest", "expected": 1}, OPEN_TO_ITS_PLAYERS),
    ("GET", "/v1/games/<uuid:game>/answers"): ({}, OPEN_TO_ITS_PLAYERS),
    ("POST", "/v1/games/<uuid:game>/answers"): ({"move": "rest"}, OPEN_TO_ITS_PLAYERS),
    ("DELETE", "/v1/games/<uuid:game>/answers"): ({}, OPEN_TO_ITS_PLAYERS),
    ("DELETE", "/v1/games/<uuid:game>/answers/<uuid:answer>"): ({}, OPEN_TO_ITS_PLAYERS),
    ("POST", "/v1/games/<uuid:game>/undo"): ({"expected": 1}, OPEN_TO_ITS_PLAYERS),
    ("POST", "/v1/games/<uuid:game>/take-back"): ({"to": 1, "expected": 1}, OPEN_TO_ITS_PLAYERS),
    ("POST", "/v1/games/<uuid:game>/offer"): ({"agrees": True, "expected": 1}, OPEN_TO_ITS_PLAYERS),
    ("POST", "/v1/games/<uuid:game>/offer/withdrawal"): ({"expected": 1}, OPEN_TO_ITS_PLAYERS),
    ("POST", "/v1/games/<uuid:game>/pause"): ({"seconds": 60, "expected": 1}, OPEN_TO_ITS_PLAYERS),
    ("POST", "/v1/games/<uuid:game>/pause/end"): ({"expected": 1}, OPEN_TO_ITS_PLAYERS),
    ("POST", "/v1/games/<uuid:game>/resign"): ({"expected": 1}, OPEN_TO_ITS_PLAYERS),
    ("POST", "/v1/games/<uuid:game>/rules"): ({"to": "1", "reason": "x"}, OF_ADMINISTRATORS),
    ("POST", "/v1/games/<uuid:game>/end"): ({"reason": "x"}, OF_ADMINISTRATORS),
}
PAGES: Final = {
    ("GET", "/games/<uuid:game>"): CLOSED,
    ("GET", "/games/<uuid:game>/play"): CLOSED,
    ("GET", "/games/<uuid:game>/embed"): CLOSED,
    ("GET", "/games/<uuid:game>/invite"): CLOSED,
    ("GET", "/games/<uuid:game>/invite.svg"): CLOSED,
    ("GET", "/games/<uuid:game>/share.png"): CLOSED,
    ("POST", "/games/<uuid:game>/framing"): CLOSED,
    ("POST", "/games/<uuid:game>/join"): CLOSED,
    ("POST", "/games/<uuid:game>/leave"): CLOSED,
    ("POST", "/games/<uuid:game>/abort"): CLOSED,
}
STREAMED: Final = ("text/event-stream", "application/x-ndjson")


class Round(NamedTuple):
    """A round of two tables with the same deal, of which the first has a winner by resignation."""

    hall: Hall
    games: list[UUID]
    players: list[list[Person]]  # table by table, in turn order
    player_director: Person  # directs the tournament and plays at the second table
    outsider: Person


def begin_round(app: Flask, people: int = 4) -> Round:
    """Returns a started round; nobody has moved."""
    hall = Hall(app, [PAIRS], duplicate=True, chance=None, leaver="forfeit").open(people=people)
    hall.direct("stages")
    hall.start()
    (current,) = hall.read("rounds")["rounds"]
    by_id = {person.id: person for person in hall.people}
    players = [[by_id[seat["player"]] for seat in table["seats"]] for table in current["tables"]]
    both = players[1][0]
    hall.direct("directors", {"player": both.id})
    return Round(hall, hall.games(), players, both, Person(hall.client, f"outsider {uuid4().hex[:8]}"))


@pytest.fixture(scope="module")
def round(app: Flask) -> Round:
    """Moves were made at the first table, and its game is over; the second still plays."""
    round = begin_round(app)
    round.players[0][0].move(str(round.games[0]), "play create_2")
    resign_at(round, 0)
    return round


def resign_at(round: Round, table: int) -> None:
    """End a game of two."""
    round.players[table][1].post(f"/v1/games/{round.games[table]}/resign")


def shut_out(round: Round) -> Iterator[Person]:
    """The clients without access to the first table."""
    yield from (*round.players[1], round.player_director, round.outsider)


def asked(person: Person, method: str, rule: str, game: UUID, body: dict[str, Any], **headers: str) -> TestResponse:
    """The answer to a request at a route with the id of a game."""
    path = rule.replace("<uuid:game>", str(game)).replace("<int:number>", "1").replace("<uuid:answer>", str(game))
    return person.ask(method, path, None if method in ("GET", "DELETE") else body, **headers)


def rules_with_a_game(app: Flask) -> set[tuple[str, str]]:
    """Every method and route that names a game."""
    return {
        (method, rule.rule)
        for rule in app.url_map.iter_rules()
        if "game" in rule.arguments
        for method in rule.methods or ()
        if method not in ("HEAD", "OPTIONS")
    }


def test_every_route_with_a_game_has_a_row(app: Flask) -> None:
    assert rules_with_a_game(app) == {*WAYS, *PAGES}


@pytest.mark.parametrize(("method", "rule"), WAYS)
def test_each_route_is_closed_to_all_others(round: Round, method: str, rule: str) -> None:
    body, refused = WAYS[method, rule]
    for person in shut_out(round):
        told = answer(asked(person, method, rule, round.games[0], body), 403)
        assert problem(told) == {OPEN_TO_ITS_PLAYERS: "not_allowed", OF_ADMINISTRATORS: "scope_missing"}.get(
            refused, CLOSED
        )
        assert not {"version", "head", "turn"} & set(told)


def test_an_administrator_changes_no_rules_at_a_closed_table(round: Round) -> None:
    operator, here = Person(round.hall.client, f"warden {uuid4().hex[:8]}"), round.hall.container
    with here.stores.pool.connection() as connection:
        _, operator.token = store_token(connection, here.now(), UUID(operator.id), "operator", ["admin"])
    body = {"to": "1", "reason": "x"}
    told = answer(asked(operator, "POST", "/v1/games/<uuid:game>/rules", round.games[0], body), 403)
    assert problem(told) == CLOSED


def test_the_problem_says_when_the_table_opens(round: Round) -> None:
    told = answer(round.outsider.ask("GET", f"/v1/games/{round.games[0]}"), 403)
    assert problem(told) == "table_closed_until_deal_ends"
    assert (told["playing"], told["tournament"], told["game"]) == (1, round.hall.id, str(round.games[0]))
    swedish = round.outsider.ask("GET", f"/v1/games/{round.games[0]}", Accept_Language="sv").get_json()
    assert "samma giv" in swedish["detail"]


@pytest.mark.parametrize("form", STREAMED)
def test_streams_and_long_polls_are_closed(round: Round, form: str) -> None:
    for person in shut_out(round):
        for query in ("", "?after=0&wait=1"):
            refused = person.ask("GET", f"/v1/games/{round.games[0]}/events{query}", Accept=form)
            assert problem(answer(refused, 403)) == CLOSED


def test_visitors_without_an_account_are_shut_out(round: Round) -> None:
    for (method, rule), (_, refused) in WAYS.items():
        if method == "GET" and refused == CLOSED:
            told = round.hall.client.get(rule.replace("<uuid:game>", str(round.games[0])))
            assert problem(answer(told, 403)) == CLOSED


def test_pages_say_why_in_the_language_of_the_reader(round: Round) -> None:
    for language, words in (("en", "the same deal"), ("is", "sömu gjöf"), ("cs", "stejné rozdání")):
        headers = {"Accept": "text/html", "Accept-Language": language}
        page = round.hall.client.get(f"/games/{round.games[0]}", headers=headers)
        assert (page.status_code, words in page.text) == (403, True)


def test_own_players_and_directors_who_do_not_play_see_it(round: Round) -> None:
    for person in (*round.players[0], round.hall.host):
        for (method, rule), (_, refused) in WAYS.items():
            if method == "GET" and refused == CLOSED:
                told = asked(person, method, rule, round.games[0], {})
                assert told.status_code == 200, (rule, told.text)


def test_pages_are_closed_to_others_and_lead_to_no_closed_table(app: Flask, round: Round) -> None:
    visitor = Visitor(app.test_client(), f"visitor {uuid4().hex[:8]}")
    game = round.games[0]
    for method, rule in PAGES:
        path = rule.replace("<uuid:game>", str(game)).replace("<int:number>", "1")
        shown = visitor.send(path) if method == "POST" else visitor.client.get(path, headers=BROWSER)
        assert (path, shown.status_code, "the same deal" in shown.text) == (path, 403, True)
    assert f"/games/{game}" not in visitor.open(f"/tournaments/{round.hall.id}/rounds/1")
    held = round.hall.container.tournaments.load(UUID(round.hall.id)).known
    tables = [table.number for game in round.games for table in held.rounds[0].tables if table.game == str(game)]
    watchers = (round.players[0][0], round.player_director, round.hall.host)
    opened = [opened_to(held, held.rounds[0], watcher.id) for watcher in watchers]
    assert opened == [{tables[0]}, {tables[1]}, {*tables}]


def test_players_who_are_awaited_find_their_own_table(app: Flask) -> None:
    away = {"minutes": 5, "then": "leaver"}
    hall = Hall(app, [PAIRS], duplicate=True, chance=None, no_show=away).open(people=4)
    hall.direct("stages")
    hall.start()
    (current,) = hall.read("rounds")["rounds"]
    by_id = {person.id: person for person in hall.people}
    for table in current["tables"]:
        own = [by_id[seat["player"]] for seat in table["seats"]]
        for person in hall.people:
            seen = person.ask("GET", f"/v1/games/{table['game']}").status_code
            listed = answer(person.ask("GET", "/v1/games?status=open"), 200)["games"]
            told = (seen, table["game"] in [game["id"] for game in listed])
            assert told == ((200, True) if person in own else (403, False))
        assert own[0].join(table["game"])["seats"]


def test_lists_leave_closed_tables_out(round: Round) -> None:
    listed = f"/v1/games?player={round.players[0][0].id}"
    for person in shut_out(round):
        assert answer(person.ask("GET", listed), 200)["games"] == []
    own = answer(round.players[0][0].ask("GET", listed), 200)["games"]
    assert [game["id"] for game in own] == [str(round.games[0])]
    for page in ("/", "/lobby?status=finished", f"/players/{round.players[0][0].id}"):
        assert str(round.games[0]) not in round.hall.client.get(page).text


def test_results_leave_closed_tables_out(round: Round) -> None:
    own, none = round.players[0][0], phrase("en", "player.results_none")
    for person in shut_out(round):
        assert none in person.ask("GET", f"/players/{own.id}").text
        assert answer(person.ask("GET", f"/v1/players/{own.id}/results?against={person.id}"), 200)["by_seat"] == []
    shown = own.ask("GET", f"/players/{own.id}").text
    assert none not in shown
    assert "1 (100%)" in shown


def test_the_rating_history_leaves_closed_tables_out(round: Round) -> None:
    own = round.players[0][0]
    with connect(round.hall.container.settings.database_url) as connection:  # a table rated by an earlier version
        row = (own.id, round.games[0])
        connection.execute(
            "INSERT INTO rating_changes VALUES (%s, 1, 'spice_road', 'people', %s, 9, 1, 1, 2, 1, 1, 1, 1)", row
        )
    history = f"/v1/players/{own.id}/ratings"
    assert [answer(one.ask("GET", history), 200)["history"] for one in shut_out(round)] == [[]] * 4
    assert [change["stream"] for change in answer(own.ask("GET", history), 200)["history"]] == [str(round.games[0])]


def test_studies_tell_nothing_of_a_closed_table(round: Round) -> None:
    author, game = round.players[0][0], str(round.games[0])
    study = author.post("/v1/studies", {"title": "Mine", "visibility": "public", "games": [game]})["study"]
    chapter = f"/v1/studies/{study}/chapters/1"
    for person in shut_out(round):
        told = answer(person.ask("GET", chapter), 200)
        assert (told["withheld"], told["of"], told.get("hashes", {})) == (True, None, {})
        assert person.ask("GET", f"{chapter}/board?at=2").status_code == 404
        refused = person.post("/v1/studies", {"title": "Theirs", "visibility": "public", "games": [game]}, 403)
        assert problem(refused) == CLOSED
    assert answer(author.ask("GET", chapter), 200)["withheld"] is False


def test_an_analysis_of_a_closed_table_is_closed(round: Round) -> None:
    analysis = round.players[0][0].post(f"/v1/games/{round.games[0]}/analyses", {}, 202)["id"]
    for person in shut_out(round):
        assert problem(answer(person.ask("GET", f"/v1/analyses/{analysis}"), 403)) == CLOSED
        assert problem(answer(person.ask("DELETE", f"/v1/analyses/{analysis}"), 403)) == CLOSED


def test_the_round_says_that_its_tables_are_closed(round: Round) -> None:
    assert round.hall.read("rounds/1")["deal"]["closed"] is True
    page = round.hall.client.get(f"/tournaments/{round.hall.id}/rounds/1", headers={"Accept-Language": "en"}).text
    assert "closed until the last of them has ended" in page


def test_the_page_says_that_the_shared_seed_is_drawn_and_committed_to(round: Round) -> None:
    page = round.hall.client.get(f"/tournaments/{round.hall.id}", headers={"Accept-Language": "en"}).text
    assert "one seed for all tables of a round: the service draws it, commits to it" in page
    assert "host names one" not in page


def test_no_command_packs_a_closed_table(round: Round, environ: dict[str, str], tmp_path: Path) -> None:
    for named in (str(round.games[0]), round.hall.id):
        file = tmp_path / "games.zip"
        asked = ["--data-dir", environ["CABILDO_DATA_DIR"], "archive", str(file), named]
        ran = CliRunner(env=environ).invoke(main, asked)
        assert (ran.exit_code, "the same deal still play" in ran.output, file.exists()) == (1, True, False)


def test_news_of_a_table_reach_its_own_players_alone(round: Round) -> None:
    with connect(round.hall.container.settings.database_url) as connection:
        told = connection.execute("SELECT DISTINCT player FROM news WHERE stream = %s", (round.games[0],)).fetchall()
    assert {player for (player,) in told} <= {person.id for person in round.players[0]}


def test_the_deal_ends_with_its_last_table_whatever_the_way(app: Flask) -> None:
    for leave in ("resign", "rule", "void"):
        round = begin_round(app)
        resign_at(round, 0)
        assert round.outsider.ask("GET", f"/v1/games/{round.games[0]}").status_code == 403
        _end(round, leave)
        for game in round.games:
            assert round.outsider.ask("GET", f"/v1/games/{game}").status_code == 200, leave
        round.hall.keep()
        closed = round.hall.direct("rounds/current/closing")
        assert (closed["deal"]["closed"], closed["deal"]["seed"] is None) == (False, False)


def _end(round: Round, way: str) -> None:
    """End the second table."""
    table = next(
        table["table"] for table in round.hall.read("rounds/1")["tables"] if table["game"] == str(round.games[1])
    )
    where = {"round": 1, "table": table, "reason": "The room is closed"}
    if way == "resign":
        resign_at(round, 1)
    elif way == "rule":
        round.hall.direct("rulings/result", {**where, "points": [9, 8], "tie_break": [0, 0], "places": [1, 2]})
    else:
        round.hall.direct("rulings/void", where)
    round.hall.keep()


def test_the_migration_finds_the_deals_of_earlier_rounds(round: Round) -> None:
    find = "SELECT game, deal FROM games_declared WHERE id = %s ORDER BY game"
    with connect(round.hall.container.settings.database_url) as connection:
        before = connection.execute(find, (round.hall.id,)).fetchall()
        connection.execute("UPDATE games_declared SET deal = NULL")
        for statement in updates_of("service/core/schema/0012_shared_deals.sql"):
            connection.execute(statement)
        assert connection.execute(find, (round.hall.id,)).fetchall() == before
    assert {deal for _, deal in before} == {UUID(round.hall.read("rounds/1")["deal"]["id"])}


def test_a_round_is_not_closed_while_a_ruled_game_still_runs(app: Flask) -> None:
    round = begin_round(app)
    for table in (1, 2):
        result = {"points": [9, 8], "tie_break": [0, 0], "places": [1, 2]}
        round.hall.direct("rulings/result", {"round": 1, "table": table, "reason": "Fire", **result})
    refused = round.hall.direct("rounds/current/closing", status=409)  # no keeper has ended the games yet
    assert problem(refused) == "not_at_this_stage"
    round.hall.keep()
    assert round.hall.direct("rounds/current/closing")["deal"]["seed"] is not None


def test_calling_off_opens_no_table_that_is_still_compared(app: Flask) -> None:
    round = begin_round(app)
    resign_at(round, 0)
    round.hall.direct("cancellation", {"reason": "Storm"})
    assert round.outsider.ask("GET", f"/v1/games/{round.games[0]}").status_code == 403
    assert problem(answer(round.hall.client.get(f"{round.hall.path}/archive"), 409)) == "not_at_this_stage"
    with connect(round.hall.container.settings.database_url) as connection:
        assert closed_among(connection, round.games) == sorted(round.games)
    resign_at(round, 1)
    assert round.outsider.ask("GET", f"/v1/games/{round.games[0]}").status_code == 200
    assert round.hall.client.get(f"{round.hall.path}/archive").status_code == 200


def test_a_stand_in_has_not_seen_the_deal_before(app: Flask) -> None:
    round = begin_round(app, people=5)
    playing, out = [person for players in round.players for person in players], round.players[0][0]
    (extra,) = (person for person in round.hall.people if person not in playing)
    numbers = {one["player"]: one["entrant"] for one in round.hall.read("entrants")["entrants"]}
    tables = {table["game"]: table["table"] for table in round.hall.read("rounds/1")["tables"]}
    first, second = (tables[str(game)] for game in round.games)
    container, game = round.hall.container, round.games[0]
    swap = {"round": 1, "reason": "Ill", "table": first, "entrant": numbers[out.id], "by": numbers[extra.id]}
    with followed(container, following_game(container, game, out.id)) as stream:
        assert stream.next()["seq"] == 1
        round.hall.direct("rulings/substitution", swap)
        round.hall.keep()
        assert out.ask("GET", f"/v1/games/{round.games[0]}").status_code == 403
        *seen, closed = stream.until_closed()
        assert closed == {"closed": "access_ended", "next": seen[-1]["seq"]}
        assert not [one for one in seen if one["kind"] == "player_replaced"]
    assert extra.ask("GET", f"/v1/games/{round.games[0]}").status_code == 200
    back = {"round": 1, "reason": "Well again", "table": second, "entrant": numbers[round.players[1][0].id]}
    refused = round.hall.direct("rulings/substitution", {**back, "by": numbers[out.id]}, 422)
    assert (problem(refused), refused["reason"]) == ("ruling_refused", "knows_the_deal")

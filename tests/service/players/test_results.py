"""Results of players by seat, against one another, and the time of moves."""

from flask.testing import FlaskClient

from tests.support.service.players import Person, answer, problem, two_at_a_table


def test_results_count_public_games_by_seat_and_meeting(client: FlaskClient) -> None:
    game, first, second = two_at_a_table(client, leaver="forfeit")
    first.move(game, "play create_2")
    second.move(game, "play create_2")
    first.post(f"/v1/games/{game}/resign")
    hidden = first.create("me", second.id, visibility="private", leaver="forfeit")["id"]
    second.join(hidden)
    first.post(f"/v1/games/{hidden}/resign")
    told = answer(client.get(f"/v1/players/{second.id}/results?against={first.id}"), 200)
    (seat,) = told["by_seat"]
    shown = ("game", "players", "seat", "played", "won", "mean_place")
    assert [seat[name] for name in shown] == ["spice_road", 2, 1, 1, 1, 1.0]
    assert told["against"] == [{"game": "spice_road", "played": 1, "ahead": 1, "behind": 0}]
    assert (told["time"]["games"], told["time"]["moves"]) == (1, 1)
    assert told["time"]["mean_seconds"] >= 0
    other = answer(client.get(f"/v1/players/{first.id}/results"), 200)
    assert ([row["won"] for row in other["by_seat"]], other["against"]) == ([0], [])
    page = client.get(f"/players/{second.id}").text
    assert "Results by seat" in page
    assert "Mean time of a move" in page


def test_a_player_without_games_has_no_results(client: FlaskClient) -> None:
    anna = Person(client, "Anna")
    assert answer(client.get(f"/v1/players/{anna.id}/results"), 200) == {"by_seat": [], "against": [], "time": None}
    unknown = "00000000-0000-0000-0000-000000000007"
    assert problem(answer(client.get(f"/v1/players/{unknown}/results"), 404)) == "not_there"

"""Statistics add up, the cross-table holds every result, and no name can calculate in a spreadsheet."""

import csv
import io
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from projections.tournaments.sheets import cross_sheet, sheet, standings_sheet, statistics_sheet
from projections.tournaments.standings.ranking import standings
from projections.tournaments.standings.statistics import cross_table, ends, seats
from projections.tournaments.values import Round
from tests.support.tournaments.random_rounds import Play, a_stage, field


@pytest.fixture(scope="module")
def play() -> Play:
    return Play(a_stage(sizes=[4, 3], rounds=3), field(10)).all_rounds()


def read(text: str) -> list[list[str]]:
    return list(csv.reader(text.splitlines()))


def test_every_game_has_one_win_and_every_seat_its_games(play: Play) -> None:
    rows = seats(play.stage, play.rounds, play.entrants)
    assert sum((row.wins for row in rows), Fraction(0)) == sum(len(round_.tables) for round_ in play.rounds)
    assert {(row.size, row.seat): row.games for row in rows} == {
        **{(4, seat): 3 for seat in range(4)},
        **{(3, seat): 6 for seat in range(3)},
    }
    assert all(len(row.events) == row.games for row in rows)


def test_what_ended_the_games_is_counted_with_the_events(play: Play) -> None:
    ended = [a_round_ended(round_) for round_ in play.rounds]
    rows = ends(ended)
    assert [(row.end, row.games) for row in rows] == [("colonists", 9), ("buildings", 3)]
    assert all(len(row.events) == row.games for row in rows)


def a_round_ended(round_: Round) -> Round:
    """All its tables ended by the colonists, the first by a full city as well."""
    tables = []
    for number, table in enumerate(round_.tables):
        assert table.result is not None
        why = ("colonists",) if number else ("colonists", "buildings")
        tables.append(table._replace(result=table.result._replace(ends=why)))
    return round_._replace(tables=tuple(tables))


def test_the_cross_table_holds_every_result_once(play: Play) -> None:
    table = cross_table(play.stage, play.rounds, play.entrants)
    for row in table.rows:
        earned = [cell.earned for cell in row.cells if cell is not None]
        assert len(earned) == table.rounds
        assert sum((one.points for one in earned if one is not None), Fraction(0)) == row.total
    assert [row.player for row in table.rows] == [line.player for line in table.standings.lines]


def test_a_void_table_leaves_its_cells_without_a_result(play: Play) -> None:
    first = play.rounds[0]
    void = first._replace(tables=(first.tables[0]._replace(void=700), *first.tables[1:]))
    rows = cross_table(play.stage, (void,), play.entrants).rows
    assert sum(cell.earned is None for row in rows for cell in row.cells if cell) == len(first.tables[0].seats)


def test_sheets_have_a_row_for_everything(play: Play) -> None:
    names = {entrant.player: entrant.player.upper() for entrant in play.entrants}
    ranked = standings(play.stage, play.rounds, play.entrants)
    assert [row[1] for row in read(standings_sheet(ranked, names))[1:]] == [p.player.upper() for p in ranked.lines]
    crossed = read(cross_sheet(cross_table(play.stage, play.rounds, play.entrants), names))
    assert {len(row) for row in crossed} == {2 + 3 * 3 + 1}
    counted = read(
        statistics_sheet(seats(play.stage, play.rounds, play.entrants), ends(map(a_round_ended, play.rounds)))
    )
    assert [row[0] for row in counted] == ["what", *["seat"] * 7, "colonists", "buildings"]


def test_a_bye_stands_in_the_cross_table() -> None:
    play = Play(a_stage(sizes=[4], rounds=1), field(5)).all_rounds()
    assert "bye" in cross_sheet(cross_table(play.stage, play.rounds, play.entrants), {})


@given(st.text(st.characters(codec="utf-8"), max_size=12))
def test_no_text_begins_a_formula_and_all_text_comes_back(text: str) -> None:
    back = list(csv.reader(io.StringIO(sheet(["name", "number"], [(text, 1)]), newline="")))[1]
    assert back in ([text, "1"], [f"'{text}", "1"])
    assert back[0].lstrip(" ")[:1] not in {*"=+-@\t\r\n|%＝＋－＠"}


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "＝1"])
def test_names_that_would_calculate_are_text(name: str) -> None:
    assert read(sheet(["name"], [(name,)]))[1] == [f"'{name}"]


def test_negative_numbers_stay_numbers() -> None:
    assert read(sheet(["value"], [(-2, Fraction(-1, 4))]))[1] == ["-2", "-0.25"]

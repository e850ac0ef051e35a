"""A record of an over-the-table game is played line by line, and the first line that cannot be is named."""

from typing import Any

import pytest

from projections.games.errors import ImpossibleLine, UnreadableRecord
from projections.games.imports.checker import AcceptedLine, ImportChecker, lay_out
from projections.games.imports.transcript import Transcript, parse, write
from projections.rules.errors import BadOptions
from projections.rules.protocol import Game
from projections.rules.registry import GAMES
from tests.support.projections.random_games import PlayedGame, random_game, written

EVERY_GAME = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
SPICE = GAMES["spice_road"]
ROAD = """\
game: spice_road
seats: Anna, Birgir
draws: points_14_yybbb points_9_yyygg points_12_rrrgg points_18_yrgggb points_8_yyrrr
"""


def entered(game: Game[Any, Any], text: str) -> tuple[ImportChecker[Any], list[AcceptedLine], Transcript]:
    """A record, checked to its end."""
    transcript = parse(text)
    scribe = ImportChecker(game, lay_out(game, transcript).position)
    return scribe, list(scribe.enter(transcript.lines)), transcript


def refused(game: Game[Any, Any], text: str) -> ImpossibleLine:
    with pytest.raises(ImpossibleLine) as why:
        entered(game, text)
    return why.value


def a_record(moves: int = 30) -> tuple[PlayedGame, list[str]]:
    played = random_game(SPICE, 3, seed=11, longest=moves + 2)
    return played, written(played).splitlines(keepends=True)


@EVERY_GAME
def test_a_record_leads_to_the_position_of_the_game_it_was_taken_from(game: Game[Any, Any]) -> None:
    played = random_game(game, 3, seed=8)
    scribe, entries, _ = entered(game, written(played))
    assert game.document(scribe.position) == game.document(played.position)
    assert [entry.played.deed.digest for entry in entries] == [event.data["digest"] for event in played.events[2:]]


@EVERY_GAME
def test_what_was_entered_is_written_as_it_was_read(game: Game[Any, Any]) -> None:
    text = written(random_game(game, 2, seed=3))
    scribe, entries, transcript = entered(game, text)
    lines = tuple(entry.written() for entry in entries)
    assert write(transcript._replace(lines=lines, below=scribe.close(transcript.below))) == text


def test_a_record_may_be_entered_in_parts() -> None:
    played, lines = a_record()
    scribe, _, _ = entered(SPICE, "".join(lines[:10]))
    for part in ("".join(lines[10:20]), "".join(lines[20:])):
        scribe = ImportChecker(SPICE, scribe.position)
        assert list(scribe.enter(parse(part).lines))
    assert SPICE.document(scribe.position) == SPICE.document(played.position)


def test_first_impossible_line_has_reason_and_legal_moves() -> None:
    _, lines = a_record()
    lines.insert(12, "buy 6 b,b,b,b,b ; misread\n")
    lines.insert(14, "nonsense\n")
    why = refused(SPICE, "".join(lines))
    assert (why.line, why.text, why.rule) == (13, "buy 6 b,b,b,b,b", "R-13")
    assert why.reason == "cubes_missing"
    assert lines[13].split(" [")[0].strip() in why.legal


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("sing a song", "unreadable_move"),
        ("4: rest", "not_your_turn"),
        ("play create_2 [points_9_yyygg]", "needless_draw"),
    ],
)
def test_other_impossible_lines_say_why(line: str, reason: str) -> None:
    _, lines = a_record(0)
    why = refused(SPICE, "".join(lines) + f"\n{line}\n")
    assert (why.line, why.reason) == (5, reason)
    if reason == "not_your_turn":
        assert "seat 1 is to act, not seat 5" in str(why)  # players count seats from 1


def test_a_draw_that_cannot_have_happened_names_those_that_can() -> None:
    _, lines = a_record(0)
    missing = refused(SPICE, "".join(lines) + "buy 1\n")
    assert missing.reason == "impossible_draw"
    assert len(missing.possible) == 37  # merchant cards face down
    wrong = refused(SPICE, "".join(lines) + "buy 1 [points_9_yyygg]\n")
    assert "points_9_yyygg" in str(wrong)
    assert wrong.possible == missing.possible


def test_what_was_dealt_before_the_first_move_is_checked_too() -> None:
    why = refused(SPICE, ROAD)
    assert (why.line, why.text, why.reason) == (3, "draws", "impossible_draw")
    _, lines = a_record(0)
    too_many = refused(SPICE, "".join(lines).rstrip() + " get_b\n")
    assert (too_many.line, too_many.reason) == (3, "needless_draw")


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("game: spice_road\nrest\n", UnreadableRecord),
        ("seats: 7\n", BadOptions),
        ("seats: 3\noption cube_scoring: most\n", BadOptions),
        ("seats: 3\noption colour: blue\n", BadOptions),
    ],
)
def test_a_table_that_cannot_be_laid_out_is_refused(text: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        lay_out(SPICE, parse(text))


def test_options_are_read_as_names_or_json() -> None:
    _, lines = a_record(0)
    table = lay_out(SPICE, parse("option cube_scoring: all\noption min_upgrade_steps: 1\n" + "".join(lines)))
    assert (table.options["cube_scoring"], table.options["min_upgrade_steps"]) == ("all", 1)
    assert table.seats == ("", "", "")


def test_comments_stay_with_their_lines() -> None:
    _, lines = a_record(2)
    text = "".join([*lines[:3], "\n; first\n", lines[3].rstrip(), " ; good\n", lines[4], "; last\n"])
    scribe, entries, transcript = entered(SPICE, text)
    assert (entries[0].line.above, entries[0].line.beside) == (("", "; first"), "good")
    assert scribe.close(transcript.below) == ("; last",)

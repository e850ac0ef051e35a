"""A second bookkeeper follows base games from the rules alone and finds the same in every purse after every step."""

import random
from collections import Counter
from pathlib import Path
from typing import Any, Final

import pytest

from projections.dealer import RandomDealer
from projections.deed import enact, set_up
from projections.puerto_rico.position import Position
from projections.scribing import Scribe, lay_out, players
from projections.transcript import read
from tests.projections.puerto_rico.ledger import Ledger
from tests.projections.puerto_rico.ledger_books import BUILDINGS, PRICES, Board
from tests.projections.puerto_rico.scene import GAME

FOLDER: Final = Path(__file__).parent / "playthroughs"
GAMES: Final = 12  # random games for each number of players


def records_without_options() -> list[Path]:
    """Recorded games without expansions, by the usual rulings."""
    told = {record: read(record.read_text("utf-8")).headers for record in sorted(FOLDER.glob("*.txt"))}
    return [path for path, headers in told.items() if not any(header.name.startswith("option ") for header in headers)]


@pytest.mark.parametrize("record", records_without_options(), ids=lambda record: record.stem)
def test_the_ledger_agrees_after_every_line_of_a_recorded_game(record: Path) -> None:  # rules 1 to 5
    transcript = read(record.read_text("utf-8"))
    table = lay_out(GAME, transcript)
    ledger = Ledger(len(table.seats), table.deed.drew)
    scribe = Scribe(GAME, table.position)
    agree(ledger, scribe.position)
    for entry in scribe.enter(transcript.lines):
        told = tuple(comment for comment in entry.line.above if ": doubloons " in comment)
        assert told in ((), standings(ledger, table.seats))
        ledger.enter(entry.played.seat, entry.played.move, entry.line.draws)
        agree(ledger, scribe.position)
    assert ledger.asks is None


def standings(ledger: Ledger, names: tuple[str, ...]) -> tuple[str, ...]:
    """What a record may say of everybody under the heading of a round."""
    return tuple(map(standing, names, ledger.boards))


def standing(name: str, board: Board) -> str:
    """A line of a record: doubloons, victory points, people and goods of a player."""
    goods = "".join(f", {good} {board.goods[good]}" for good in PRICES if board.goods[good])
    points = board.chips + board.noted
    return f"; {name}: doubloons {board.doubloons}, points {points}, colonists {board.people()}{goods}"


def test_every_player_count_has_a_record_for_the_ledger() -> None:
    transcripts = [read(record.read_text("utf-8")) for record in records_without_options()]
    assert {len(players(transcript)) for transcript in transcripts} == {2, 3, 4, 5}


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_the_ledger_agrees_after_every_move_of_random_games(seats: int) -> None:  # rules 1 to 5
    for seed in range(GAMES):
        source = random.Random(f"ledger {seats} {seed}")
        dealer = RandomDealer(source)
        position, deed = set_up(GAME, GAME.read_options({}, seats), seats, dealer)
        ledger = Ledger(seats, deed.drew)
        while GAME.actor(position) is not None:
            agree(ledger, position)
            moves = GAME.legal(position)
            tries = [GAME.notation(moves.sample(source)) for _ in range(1 + seed % 4)]
            move = max(tries, key=eagerness)
            played = enact(GAME, position, move, dealer)
            ledger.enter(played.seat, move, played.deed.drew)
        agree(ledger, position)


def eagerness(move: str) -> int:
    """A taste for dear buildings and the wharf, not for colonists, so that random games get that far."""
    verb, *words = move.split()
    if verb == "build":
        return BUILDINGS[words[0]].cost
    return (verb == "wharf") - (move in ("pass", "role mayor"))


def agree(ledger: Ledger, position: Position) -> None:
    """The same books, and the same question."""
    document: Any = GAME.document(position)
    assert [owned_of(board) for board in ledger.boards] == [owned(player) for player in document["players"]]
    assert table_of(ledger) == table(document)
    assert (ledger.asks is None) == (GAME.actor(position) is None)
    if ledger.asks is None:
        return
    seat, moves = ledger.asks
    assert (seat, ledger.governor) == (GAME.actor(position), document["governor"])
    if moves is None:
        assert GAME.decision(position) in ("D-MAY-PLACE", "D-CAP-STORE")
    else:
        assert moves == {GAME.notation(move) for move in GAME.legal(position)}


def owned_of(board: Board) -> dict[str, Any]:
    """What the ledger writes of a seat."""
    return {
        "doubloons": board.doubloons,
        "vp_chips": board.chips,
        "vp_noted": board.noted,
        "goods": dict(+board.goods),
        "tiles": dict(+board.tiles),
        "people": dict(+board.land),
        "city": board.city,
        "san_juan": board.san_juan,
    }


def owned(player: dict[str, Any]) -> dict[str, Any]:
    """The same from the document."""
    return {
        **{name: player[name] for name in ("doubloons", "vp_chips", "vp_noted", "goods")},
        "tiles": dict(Counter(tile["tile"] for tile in player["island"])),
        "people": dict(Counter(tile["tile"] for tile in player["island"] if tile["colonists"])),
        "city": {place["building"]: place["colonists"] for place in player["city"]},
        "san_juan": player["san_juan"]["colonists"],
    }


def table_of(ledger: Ledger) -> dict[str, Any]:
    """What the ledger writes of the table."""
    return {
        "cards": {card: (lying, ledger.taken.get(card)) for card, lying in ledger.cards.items()},
        "ships": [(capacity, dict(+hold)) for capacity, hold in ledger.ships.items()],
        "house": sorted(ledger.house),
        "row": dict(+ledger.row),
        "face_down": dict(+ledger.pile),
        "discarded": dict(+ledger.discards),
        "quarries": ledger.quarries,
        "colonists": (ledger.colonist_ship, ledger.colonists),
        "goods": dict(+ledger.goods),
        "vp_chips": ledger.vp,
        "buildings": ledger.display,
        "ends": ledger.ends,
    }


def table(document: dict[str, Any]) -> dict[str, Any]:
    """The same from the document."""
    plantations, colonists, supply = document["plantations"], document["colonists"], document["supply"]
    ships = document["ships"]
    return {
        "cards": {card: (told["doubloons"], told["taken_by"]) for card, told in document["roles"].items()},
        "ships": [(ship["capacity"], {ship["good"]: ship["loaded"]} if ship["good"] else {}) for ship in ships],
        "house": sorted(document["trading_house"]),
        "row": dict(Counter(plantations["face_up"])),
        "face_down": plantations["face_down"],
        "discarded": plantations["discarded"],
        "quarries": plantations["quarries"],
        "colonists": (colonists["ship"], colonists["supply"]),
        "goods": supply["goods"],
        "vp_chips": supply["vp_chips"],
        "buildings": supply["buildings"],
        "ends": set(document["ends"]),
    }

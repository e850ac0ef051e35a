"""Lists of games on pages: seats, status, result and link of each."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode
from uuid import UUID

from events.json_types import JsonObject
from projections.games.clocks import NONE
from projections.games.record import FINISHED, OPEN, PLAYER, RUNNING
from projections.rules.registry import GAMES
from service.games import search, written_records
from service.games.house_bots import called, marked, number_of
from service.games.lists.listed_games import newest_own
from service.games.search import GameEntry, GameResult, SeatEntry
from service.i18n import phrases
from service.i18n.game_titles import GAME_TITLES
from service.pages.games.clock_terms import clock_in_words
from service.tournaments.at_table import at_table, document, listed
from service.web.routing import container

TITLES: Final = GAME_TITLES


class SeatCard(NamedTuple):
    """A seat of a listed game, with its result."""

    name: str
    player: str | None
    points: int | None
    place: int | None
    about: JsonObject | None  # of a bot's account
    acts: bool  # whether it is the seat's turn, as far as the reader may know


class GameCard(NamedTuple):
    """A listed game."""

    id: str
    game: str
    title: str
    status: str
    places: list[SeatCard]
    options: list[str]
    terms: list[str]  # what players agreed on; of tables that wait for players, all of it
    silent: bool | None  # None: the game is over
    version: int
    created: str
    leads_to: str  # the link's address
    waits: str  # in words, for what of the reader the game waits; empty: for nothing
    free: bool  # whether the reader may take a seat


class GamesPage(NamedTuple):
    """A page of games, and the cursor of the next."""

    games: list[GameCard]
    next: str | None


def find_games(
    asked: Mapping[str, object], reader: str | None, limit: int, language: str, people: Collection[str] = ()
) -> GamesPage:
    """Returns the newest games that match the query; `people` are those at the reader's screen.

    Holds no connection while tournaments are loaded, which takes one: requests that wait for a second connection
    could exhaust the pool.
    """
    with container().stores.pool.connection() as connection:
        games = search.find(connection, asked, reader, limit)
        known = search.known_players(connection, games.rows)
        records = written_records.records(connection, search.imported(games.rows))
    listed_games = listed(container().tournaments, (search.document(row, known, reader, records) for row in games.rows))
    return GamesPage([_game(game, reader, language, people) for game in listed_games], games.next)


def newest_games(status: str, reader: str | None, limit: int, language: str) -> GamesPage:
    """Returns the newest games of a state: the list that is kept for everybody, with the reader's own games in it."""
    here = container()
    games = here.public_lists.newest(status, limit)
    if reader is not None:
        games = games.merged(newest_own(here.stores.pool, here.tournaments, status, reader, limit), limit)
    return GamesPage([_game(one.entry, reader, language) for one in games.games], games.next)


def _game(game: GameEntry, reader: str | None, language: str, people: Collection[str] = ()) -> GameCard:
    seats = sorted(game["seats"], key=lambda seat: (seat["seat"] is None, seat["seat"] or 0))
    own = [seat["seat"] for seat in seats if reader and seat["player"] and seat["player"]["id"] in (reader, *people)]
    turn = game["turn"] and game["turn"]["seat"]
    cards = [_place(seat, game["result"], turn, language) for seat in seats]
    return GameCard(
        id=game["id"],
        game=game["game"],
        title=TITLES[game["game"]],
        status=game["status"],
        places=sorted(cards, key=lambda card: card.place or 0),
        options=list(_options(game, language)),
        terms=list(_terms(game, language)),
        silent=game["silent"],
        version=game["version"],
        created=str(game["created"]),
        leads_to=_address(game, bool(own)),
        waits=_waits(game, own, reader, language),
        free=game["status"] == OPEN and not own and any(_is_free(seat, reader) for seat in seats),
    )


def event_of(game: UUID, tournament: str | None, language: str) -> Mapping[str, Any] | None:
    """Returns the tournament, round and table of a game; None for a game outside tournaments."""
    find_games = at_table(container().tournaments, tournament, game)
    if find_games is None:
        return None
    with container().stores.pool.connection() as connection:
        return {"tournament": tournament, **document(connection, find_games, language)}


def _address(game: GameEntry, own: bool) -> str:
    """Returns the address of the table for its players and while seats are free, else of the replay."""
    if game["status"] == OPEN or (game["status"] == RUNNING and own):
        return f"/games/{game['id']}/play"
    return f"/games/{game['id']}" + ("#1" if game["status"] == FINISHED else "")


def next_page(page: GamesPage, asked: Mapping[str, str]) -> str | None:
    """Returns the query of the lobby that finds the games after those of a page; None on the last page."""
    return None if page.next is None else f"?{urlencode({**asked, 'after': page.next})}"


def _waits(game: GameEntry, own: Collection[int | None], reader: str | None, language: str) -> str:
    """Returns for what of the reader a game waits: a move, or to sit down on a chair that is kept."""
    if game["turn"] is not None and game["turn"]["seat"] in own:
        return phrases.phrase(language, "lobby.your_turn")
    kept = [seat for seat in game["seats"] if reader and seat["kept_for"] == f"{PLAYER}{reader}" and not seat["player"]]
    return phrases.phrase(language, "lobby.kept_for_you") if kept and game["status"] == OPEN else ""


def _terms(game: GameEntry, language: str) -> Iterator[str]:
    """Yields whether the game is rated, its clock, and that it is silent; of games that began, what is not usual."""
    say, waits, clock = partial(phrases.phrase, language), game["status"] == OPEN, game["clock"]
    if game["rated"] or waits:
        yield say("lobby.rated" if game["rated"] else "lobby.unrated")
    if clock and (waits or clock["kind"] != NONE):
        yield clock_in_words(clock, language)
    if game["silent"]:
        yield say("lobby.silent")


def _options(game: GameEntry, language: str) -> Iterator[str]:
    """Yields the labels of options that differ from the base game."""
    say = partial(phrases.phrase, language)
    for name, choice in GAMES[game["game"]].choices.items():
        chosen = game["options"].get(name)
        if name == "expansions" and isinstance(chosen, Sequence):
            yield from (say(f"options.{name}_{one}") for one in chosen)
        elif name == "variant" and chosen != choice.values[0]:
            yield say(f"options.{name}_{chosen}")


def _place(seat: SeatEntry, result: GameResult | None, turn: int | None, language: str) -> SeatCard:
    at, name = seat["seat"], name_of(seat, language)
    acts = at is not None and at == turn
    player = seat["player"]["id"] if seat["player"] and not seat["bot"] else None
    if result is None or at is None or "points" not in result:
        return SeatCard(name, player, None, None, seat["about"], acts)
    return SeatCard(name, player, result["points"][at], result["places"][at], seat["about"], acts)


def name_of(seat: SeatEntry, language: str) -> str:
    """Returns the name of a seat's player or bot, or of its invitation."""
    say = partial(phrases.phrase, language)
    if seat["bot"]:
        return called(seat["bot"], number_of(seat["chair"], seat["entrant"]), language)
    if seat["player"]:
        name = seat["player"]["name"] or say("common.forgotten")
        return marked(name, language) if seat["program"] else name
    if seat["name"]:
        return str(seat["name"])
    return say("common.invited") if seat["kept_for"] not in (None, OPEN) else say("common.open_chair")


def _is_free(seat: SeatEntry, reader: str | None) -> bool:
    """Returns whether the reader may take a seat without an invitation code."""
    taken = seat["player"] or seat["bot"]
    return not taken and seat["kept_for"] in (None, OPEN, f"{PLAYER}{reader}")

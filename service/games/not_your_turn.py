"""Tells in every language why a seat has no moves, from the record without the rules."""

from typing import Final

from events.messages import Message
from projections.games.record import Turn
from projections.rules.errors import GameIsOver, NotYourTurn
from service.i18n.messages import translate

NOT_STARTED, GAME_IS_OVER, NOT_SEATED = "not_started", "game_is_over", "not_seated"
NOT_PLAYING, NOT_YOUR_TURN = "not_playing", "not_your_turn"
REASONS: Final = (NOT_STARTED, GAME_IS_OVER, NOT_SEATED, NOT_PLAYING, NOT_YOUR_TURN)
SENTENCES: Final = {
    NOT_STARTED: Message("the game has not started"),
    NOT_SEATED: Message("you have no seat in this game"),
    NOT_PLAYING: Message("you do not play in this game any more"),
}

TO_ACT: Final = {
    "en": "Seat {seat} is to act.",
    "is": "Sæti {seat} á leik.",
    "sv": "Plats {seat} är på tur.",
    "cs": "Na tahu je místo {seat}.",
    "hu": "A soron következő hely: {seat}.",
}
OVER: Final = {
    "en": "The game is over.",
    "is": "Spilinu er lokið.",
    "sv": "Spelet är slut.",
    "cs": "Hra skončila.",
    "hu": "A játék véget ért.",
}


def not_your_turn(game: str, move: str, seat: int) -> NotYourTurn:
    """Returns the refusal that names the seat to act; sentences count seats from 1."""
    sentences = {language: sentence.format(seat=seat + 1) for language, sentence in TO_ACT.items()}
    refusal = NotYourTurn(move, "not_your_turn", "", sentences["en"], sentences)
    refusal.game = game
    return refusal


def game_is_over(game: str, move: str) -> GameIsOver:
    """Returns the refusal for a finished game."""
    refusal = GameIsOver(move, "game_over", "", OVER["en"], OVER)
    refusal.game = game
    return refusal


def no_moves_sentence(reason: str, turn: Turn | None, language: str) -> str:
    """Returns in words why a viewer has no moves."""
    if reason == NOT_YOUR_TURN and turn is not None:
        return not_your_turn("", "", turn.seat).sentence_in(language)
    return OVER[language] if reason == GAME_IS_OVER else translate(SENTENCES[reason], language)

"""Builds the refusals for seats out of turn, in every language, from the record without the rules."""

from typing import Final

from projections.rules.errors import GameIsOver, NotYourTurn

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


def not_your_turn(move: str, seat: int) -> NotYourTurn:
    """Returns the refusal that names the seat to act; sentences count seats from 1."""
    sentences = {language: sentence.format(seat=seat + 1) for language, sentence in TO_ACT.items()}
    return NotYourTurn(move, "not_your_turn", "", sentences["en"], sentences)


def game_is_over(move: str) -> GameIsOver:
    """Returns the refusal for a finished game."""
    return GameIsOver(move, "game_over", "", OVER["en"], OVER)

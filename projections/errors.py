"""Why a move, a draw or a position is refused."""

from events.errors import CabildoError


class UnreadableMove(CabildoError):
    """The text is not in the game's notation."""

    def __init__(self, text: str, expected: str) -> None:
        super().__init__(f"{text!r} is not a move; expected {expected}")
        self.text = text
        self.expected = expected


class IllegalMove(CabildoError):
    """The move can be read, but the rules do not allow it now."""

    def __init__(self, move: str, reason: str, rule: str, sentence: str = "") -> None:
        super().__init__(sentence or f"{move!r} is refused: {reason} (rules {rule})")
        self.move = move
        self.reason = reason
        self.rule = rule
        self.sentence = sentence


class NotYourTurn(IllegalMove):
    """Another seat is to act."""


class GameIsOver(IllegalMove):
    """Nobody is to act any more."""


class BadOptions(CabildoError):
    """The options of a game are unknown or do not fit together."""

    def __init__(self, option: str, reason: str) -> None:
        super().__init__(f"option {option!r}: {reason}")
        self.option = option
        self.reason = reason


class ImpossiblePosition(CabildoError):
    """A position document breaks the rules' invariants."""

    def __init__(self, where: str, reason: str) -> None:
        super().__init__(f"{where}: {reason}")
        self.where = where
        self.reason = reason


class ImpossibleDraw(CabildoError):
    """A declared draw cannot have happened, or none was declared."""

    def __init__(self, declared: str | None, possible: tuple[str, ...]) -> None:
        what = "no draw was declared" if declared is None else f"{declared!r} cannot be drawn"
        super().__init__(f"{what}; possible: {', '.join(possible)}")
        self.declared = declared
        self.possible = possible


class BrokenPromise(CabildoError):
    """A revealed seed, entropy or link is not the one that was committed to."""

    def __init__(self, what: str, seat: int | None) -> None:
        whose = "the server's" if seat is None else f"chair {seat}'s"
        super().__init__(f"{whose} {what} is not the one committed to")
        self.what = what
        self.seat = seat


class SealedSeedLost(CabildoError):
    """A stored seed cannot be opened: its master key is not here, or the bytes were changed."""


class UnknownLanguage(CabildoError):
    """Words were asked for in a language nobody has written them in."""

    def __init__(self, language: str, known: tuple[str, ...]) -> None:
        super().__init__(f"no words in {language!r}; known: {', '.join(known)}")
        self.language = language
        self.known = known

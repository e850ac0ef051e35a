"""Why a move, a draw or a position is refused."""

from collections.abc import Mapping, Sequence

from events.errors import CabildoError
from events.messages import Message


class UnreadableMove(CabildoError):
    """The text is not in the game's notation."""

    def __init__(self, text: str, expected: str, /, **values: object) -> None:
        self.text = text
        self.expected = Message(expected, **values)
        super().__init__("{text!r} is not a move; expected {expected}", text=text, expected=self.expected)
        self.alternatives: tuple[str, ...] = ()  # legal moves, filled in by callers that know the position
        self.game: str | None = None  # the name of the game, filled in by callers that know it


class IllegalMove(CabildoError):
    """The move can be read, but the rules do not allow it now; `others` has the sentence in other languages."""

    def __init__(
        self, move: str, reason: str, rule: str, sentence: str = "", others: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(
            sentence or Message("{move!r} is refused: {reason} (rules {rule})", move=move, reason=reason, rule=rule)
        )
        self.move = move
        self.reason = reason
        self.rule = rule
        self.sentence = sentence
        self.alternatives: tuple[str, ...] = ()  # legal moves, filled in by callers that know the position
        self.game: str | None = None  # the name of the game, filled in by callers that know it
        self._others = others or {}

    def sentence_in(self, language: str) -> str:
        """Returns the sentence for the player in a language; in English where there is no translation."""
        return self._others.get(language, self.words)


class NotYourTurn(IllegalMove):
    """Another seat is to act."""


class GameIsOver(IllegalMove):
    """The game is over; no seat is to act."""


class BadOptions(CabildoError):
    """The options of a game are unknown or do not fit together."""

    def __init__(self, option: str, reason: str, /, **values: object) -> None:
        self.option = option
        self.reason = Message(reason, **values)
        super().__init__("option {option!r}: {reason}", option=option, reason=self.reason)


class UnknownRules(BadOptions):
    """A recorded game keeps to rules that this program does not have."""

    def __init__(self, game: str, version: str, known: Sequence[str]) -> None:
        there = ", ".join(known) or Message("none")
        super().__init__(
            "rules",
            "unknown version {version!r} of {game!r}; there are {known}",
            version=version,
            game=game,
            known=there,
        )


class ImpossiblePosition(CabildoError):
    """A position document breaks the rules' invariants."""

    def __init__(self, where: str, reason: str, /, **values: object) -> None:
        self.where = where
        self.reason = Message(reason, **values)
        super().__init__("{where}: {reason}", where=where, reason=self.reason)


class ImpossibleDraw(CabildoError):
    """A declared draw cannot have happened, or none was declared."""

    def __init__(self, declared: str | None, possible: tuple[str, ...]) -> None:
        pattern = "no draw was declared" if declared is None else "{declared!r} cannot be drawn"
        what = Message(pattern, declared=declared)
        super().__init__("{what}; possible: {possible}", what=what, possible=", ".join(possible))
        self.declared = declared
        self.possible = possible


class TimeBudgetExceeded(CabildoError):
    """A question takes longer than the service works on one."""

    def __init__(self, done: int, seconds: float) -> None:
        super().__init__("after {seconds:g} seconds, {done} steps were done; ask in parts", seconds=seconds, done=done)
        self.done = done
        self.seconds = seconds


class BadFact(CabildoError):
    """A recorded fact cannot be read, or cannot have happened in this position."""

    def __init__(self, fact: object, reason: str, /, **values: object) -> None:
        self.fact = fact
        self.reason = Message(reason, **values)
        super().__init__("fact {fact!r}: {reason}", fact=fact, reason=self.reason)

"""Why a move, a draw or a position is refused."""

import re
from collections.abc import Mapping, Sequence

from events.errors import CabildoError
from events.messages import Message


class UnreadableMove(CabildoError):
    """The text is not in the game's notation."""

    def __init__(self, text: str, expected: str, /, **values: object) -> None:
        self.text = text
        self.expected = Message(expected, **values)
        super().__init__("{text!r} is not a move; expected {expected}", text=text, expected=self.expected)
        self.alternatives: tuple[str, ...] = ()  # legal moves, named by who knows the position


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
        self.alternatives: tuple[str, ...] = ()  # legal moves, named by who knows the position
        self._others = others or {}

    def sentence_in(self, language: str) -> str:
        """Why, in words a player understands; in English where nobody wrote them in the language."""
        return self._others.get(language, self.words)


class NotYourTurn(IllegalMove):
    """Another seat is to act."""


class GameIsOver(IllegalMove):
    """Nobody is to act any more."""


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


class BrokenCommitment(CabildoError):
    """A revealed seed, entropy or link is not the one that was committed to, or a commitment came too late."""

    def __init__(self, what: str, seat: int | None, fault: str = "is not the one committed to") -> None:
        pattern = "the server's {what} {fault}" if seat is None else "chair {seat}'s {what} {fault}"
        super().__init__(pattern, seat=seat, what=Message(what), fault=Message(fault))
        self.what = what
        self.seat = seat


class SealedSeedLost(CabildoError):
    """A stored seed cannot be opened: its master key is not here, or the bytes were changed."""


class UnreadableRecord(CabildoError):
    """A line of a record of a game cannot be read."""

    def __init__(self, line: int, reason: str, text: str) -> None:
        pattern = "line {line}: {reason}: {text}" if text else "line {line}: {reason}"
        super().__init__(pattern, line=line, reason=Message.of_code(reason), text=text)
        self.line = line
        self.reason = reason
        self.text = text


class UnreadableStudy(CabildoError):
    """A line of a study, or its JSON (line 0), cannot be read."""

    def __init__(self, line: int, reason: str, text: str) -> None:
        pattern = "line {line}: {reason}: {text}" if text else "line {line}: {reason}"
        super().__init__(pattern, line=line, reason=Message.of_code(reason), text=text)
        self.line = line
        self.reason = reason
        self.text = text


class NeedlessDraw(CabildoError):
    """More draws were declared than were made."""

    def __init__(self, left: Sequence[str]) -> None:
        super().__init__("nothing more was drawn; left over: {left}", left=", ".join(left))
        self.left = tuple(left)


class ImpossibleLine(CabildoError):
    """A line of a record, or of moves to analyse, cannot have happened; it is the first such line."""

    def __init__(self, line: int, text: str, cause: CabildoError, legal: Sequence[str]) -> None:
        super().__init__("line {line}, {text!r}: {cause}", line=line, text=text, cause=cause)
        self.line = line
        self.text = text
        self.reason = _reason(cause)
        self.rule = getattr(cause, "rule", None)
        self.legal = tuple(legal)  # what would have been accepted
        self.possible = tuple(getattr(cause, "possible", ()))  # outcomes, when a draw is what was wrong


def _reason(cause: CabildoError) -> str:
    """The reason code of a refusal: its own, or its name in lower case."""
    own = getattr(cause, "reason", None)
    return str(own) if own else re.sub(r"(?<=[a-z])(?=[A-Z])", "_", type(cause).__name__).lower()


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


class UnreadableCommitment(CabildoError):
    """An event does not say what it promises or reveals in the form that is agreed on."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field} {reason}")
        self.field = field
        self.reason = reason


class LeaseLost(CabildoError):
    """Another build of the same projection has begun; this one stops."""

    def __init__(self, name: str) -> None:
        super().__init__(f"another rebuild of {name} has begun")
        self.name = name


class ProjectionParked(CabildoError):
    """A projection met an entry that it cannot apply."""

    def __init__(self, name: str, idx: int, reason: str) -> None:
        super().__init__(f"{name} stops at entry {idx}: {reason}")
        self.name = name
        self.idx = idx
        self.reason = reason


class ProjectionDiffers(CabildoError):
    """What was rebuilt is not what is served, though both come from the same events and the same version."""

    def __init__(self, name: str, live: str, rebuilt: str) -> None:
        super().__init__(f"{name} differs: live {live}, rebuilt {rebuilt}")
        self.name = name
        self.live = live
        self.rebuilt = rebuilt

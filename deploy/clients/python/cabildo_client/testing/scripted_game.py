"""A recorded game that is told again: the next decision follows whatever legal move is made."""

import json
from collections.abc import Collection, Mapping, Sequence
from importlib.resources import files
from typing import Any, Final

from cabildo_client.hash_chain import event_hash

START: Final = "0" * 64
Document = dict[str, Any]


class ScriptedGame:
    """One game at which the program sits: its decisions in their order, and the events, chained anew."""

    def __init__(self, game: str, player: str) -> None:
        script = json.loads((files("cabildo_client.testing") / f"{game}.json").read_text(encoding="utf-8"))
        self._script: Document = json.loads(json.dumps(script).replace(script["me"], player))
        self.player = player
        self.id = str(self._script["overview"]["id"])
        self._at = 0  # the decision that waits
        self.events: list[Document] = []
        self._enter(self._scene)

    @property
    def _scene(self) -> Document:
        turns: Sequence[Document] = self._script["turns"]
        scene: Document = turns[self._at] if self._at < len(turns) else self._script["end"]
        return scene

    @property
    def is_over(self) -> bool:
        """Whether the recorded game has ended."""
        return self._at == len(self._script["turns"])

    @property
    def version(self) -> int:
        """The number of the newest event."""
        return len(self.events)

    @property
    def overview(self) -> Document:
        """The game without its board."""
        return {**self._script["overview"], **self._scene["changes"], "version": self.version, "head": self.head}

    @property
    def head(self) -> str:
        """The hash of the newest event."""
        return str(self.events[-1]["hash"]) if self.events else START

    @property
    def legal(self) -> Document:
        """The legal moves of the decision that waits; none at the end."""
        none: Document = dict.fromkeys(("seat", "decision", "slots"))
        over = {"reason": "game_is_over", "sentence": "The game is over"}
        ended = {**none, "yours": False, "none": over, "moves": [], "complete": True, "count": 0}
        waiting = self._script["turns"][0]["legal"] | (ended if self.is_over else self._scene["legal"])
        return {**waiting, "version": self.version}

    @property
    def position(self) -> Document:
        """The board at the decision that waits."""
        return {**self._scene["position"], "version": self.version}

    @property
    def offered(self) -> list[str]:
        """The moves that the decision lists."""
        return [str(one["move"]) for one in self.legal["moves"]]

    def told(self, after: int, beside: Collection[str]) -> list[Document]:
        """Returns the events after a number, the newest with the position or the legal moves after it."""
        newest = {name: getattr(self, name) for name in beside}
        return [event | newest if event is self.events[-1] else event for event in self.events[after:]]

    def play(self, move: str) -> Document:
        """Makes a move and goes on to the next recorded decision. Returns the event of the move."""
        self._at += 1
        own, *others = self._scene["events"]
        event = self._append({**own, "data": {**own["data"], "move": move}})
        self._enter({"events": others})
        return event

    def _enter(self, scene: Mapping[str, Any]) -> None:
        for event in scene["events"]:
            self._append(event)

    def _append(self, recorded: Document) -> Document:
        """Adds an event after the newest; its hash follows from what it says, as with real events."""
        event = {**recorded, "prev": self.head}
        event["hash"] = event_hash(event) if event["salt"] is not None else recorded["hash"]
        self.events.append(event)
        return event

"""Requests cosignatures from witnesses (C2SP tlog-witness), all at once and with a short timeout."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import structlog

from events.errors import CabildoError
from events.merkle.checkpoint import Checkpoint
from events.merkle.errors import UnreadableText
from events.merkle.notes import Note, Signature, read_signature
from events.merkle.policy import Party, Policy
from events.merkle.text import from_decimal
from events.merkle.witness import AddCheckpoint, origin_hash

ANSWER_WITHIN = 2.0
CONFLICT = 409
Growth = Callable[[int], list[bytes]]
log = structlog.get_logger("service.proof.witness_client")


def shown_to(policy: Policy, origin: str) -> dict[str, bytes | None]:
    """Returns the newest checkpoint of each witness with an address; b"" for none, None without an answer."""
    found: dict[str, bytes | None] = {}
    for name, party in policy.witnesses.items():
        if party.url:
            try:
                answer = httpx.get(f"{party.url}/{origin_hash(origin)}/checkpoint", timeout=ANSWER_WITHIN)
            except httpx.HTTPError:
                found[f"witness {name}"] = None
                continue
            seen = answer.content if answer.status_code == httpx.codes.OK else None
            found[f"witness {name}"] = b"" if answer.status_code == httpx.codes.NOT_FOUND else seen
    return found


class WitnessClient:
    """Client of the policy's witnesses with an address; remembers the tree size each has seen."""

    def __init__(self, policy: Policy) -> None:
        self._parties = [party for party in policy.witnesses.values() if party.url]
        self._cosigned: dict[str, int] = {}

    def __call__(self, note: Note, growth: Growth) -> Iterable[Signature]:
        """Returns the verified cosignatures that arrived in time."""
        if not self._parties:
            return []
        with ThreadPoolExecutor(len(self._parties)) as pool:
            answers = pool.map(lambda party: list(self._ask(party, note, growth)), self._parties)
            return [line for lines in answers for line in lines]

    def _ask(self, party: Party, note: Note, growth: Growth) -> Iterator[Signature]:
        try:
            answer = self._send(party, note, growth, self._cosigned.get(party.key.name, 0))
            if answer.status_code == CONFLICT and answer.headers.get("content-type") == "text/x.tlog.size":
                known = from_decimal(answer.text.removesuffix("\n"), "size of a witness")
                answer = self._send(party, note, growth, known)
            answer.raise_for_status()
            yield from self._believed(party, note, answer.text)
        except (httpx.HTTPError, CabildoError) as fault:
            log.warning("a witness did not cosign", witness=party.key.name, reason=str(fault))

    def _send(self, party: Party, note: Note, growth: Growth, old: int) -> httpx.Response:
        size = Checkpoint.parse(note.text).size
        if old > size:
            raise UnreadableText("size of a witness", f"{old} is above ours, {size}")
        body = str(AddCheckpoint(old, tuple(growth(old)), note)).encode()
        return httpx.post(f"{party.url}/add-checkpoint", content=body, timeout=ANSWER_WITHIN)

    def _believed(self, party: Party, note: Note, text: str) -> Iterator[Signature]:
        for line in text.splitlines():
            signature = read_signature(line)
            if party.key.verify(note.text, signature):
                self._cosigned[party.key.name] = Checkpoint.parse(note.text).size
                yield signature

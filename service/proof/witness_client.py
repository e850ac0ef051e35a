"""Requests cosignatures from witnesses (C2SP tlog-witness), all at once and with a short timeout."""

from collections.abc import Callable, Iterable, Iterator, Set
from concurrent.futures import ThreadPoolExecutor

import structlog

from events.errors import CabildoError
from events.merkle.checkpoint import Checkpoint
from events.merkle.errors import UnreadableText
from events.merkle.notes import Note, Signature, read_signature
from events.merkle.policy import Party, Policy
from events.merkle.text import from_decimal
from events.merkle.witness import AddCheckpoint, origin_hash
from service.proof.bounded_calls import NOT_FOUND, OK, Answer, Call, call_all

CONFLICT = 409
Growth = Callable[[int], list[bytes]]
log = structlog.get_logger("service.proof.witness_client")


def shown_to(policy: Policy, origin: str) -> dict[str, bytes | None]:
    """Returns the newest checkpoint of each witness with an address; b"" for none, None without an answer it signed."""
    parties = {name: party for name, party in policy.witnesses.items() if party.url}
    answers = call_all([Call(f"{party.url}/{origin_hash(origin)}/checkpoint") for party in parties.values()])
    return {name: _seen_by(party, answer) for (name, party), answer in zip(parties.items(), answers, strict=True)}


def _seen_by(party: Party, answer: Answer | None) -> bytes | None:
    if answer is None or answer.status not in (OK, NOT_FOUND):
        return None
    if answer.status == NOT_FOUND:
        return b""
    try:
        signed = Note.parse(answer.body).verified([party.key])
    except CabildoError:
        return None
    return answer.body if signed else None


def quorum_among(policy: Policy, answered: Set[str]) -> bool:
    """Returns whether every quorum has a witness that answered; the others could have seen nothing as a quorum."""
    return policy.quorum is not None and not policy.is_quorum(policy.witnesses.keys() - answered)


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
            if answer is not None and answer.status == CONFLICT and answer.content_type == "text/x.tlog.size":
                known = from_decimal(_text(answer).removesuffix("\n"), "size of a witness")
                answer = self._send(party, note, growth, known)
            if answer is not None and answer.status == OK:
                yield from self._believed(party, note, _text(answer))
            else:
                reason = "no answer in time" if answer is None else f"it answered {answer.status}"
                log.warning("a witness did not cosign", witness=party.key.name, reason=reason)
        except CabildoError as fault:
            log.warning("a witness did not cosign", witness=party.key.name, reason=str(fault))

    def _send(self, party: Party, note: Note, growth: Growth, old: int) -> Answer | None:
        size = Checkpoint.parse(note.text).size
        if old > size:
            raise UnreadableText("size of a witness", f"{old} is above ours, {size}")
        body = str(AddCheckpoint(old, tuple(growth(old)), note)).encode()
        (answer,) = call_all([Call(f"{party.url}/add-checkpoint", body)])
        return answer

    def _believed(self, party: Party, note: Note, text: str) -> Iterator[Signature]:
        for line in text.splitlines():
            signature = read_signature(line)
            if party.key.verify(note.text, signature):
                self._cosigned[party.key.name] = Checkpoint.parse(note.text).size
                yield signature


def _text(answer: Answer) -> str:
    return answer.body.decode("utf-8", "replace")

"""Asks for the newest published checkpoints: the keepers' files or store, the peers, the witnesses."""

from collections.abc import Sequence

from events.errors import CabildoError
from events.log.publisher import CHECKPOINT
from events.log.reconciliation import CLAIM, CheckpointSource, Shown, SourceAnswers
from events.log.tile_files import TileFiles
from events.merkle.checkpoint import Checkpoint
from events.merkle.notes import Note
from service.proof.bounded_calls import NOT_FOUND, OK, Answer, Call, call_all
from service.proof.public_log import LOG, files_of, policy_of
from service.proof.witness_client import quorum_among, shown_to
from service.settings import Settings


def ask_sources(settings: Settings, origin: str) -> SourceAnswers:
    """Returns what every source shows of a log."""
    policy, files = policy_of(settings), files_of(settings, origin)
    witnesses = shown_to(policy, origin)
    shown = [_shown_in(settings, files), *shown_by_peers(settings, origin)]
    shown += [Shown(CheckpointSource.WITNESS, f"witness {name}", data) for name, data in witnesses.items()]
    answered = {name for name, data in witnesses.items() if data is not None}
    return SourceAnswers(shown, _identity(files), quorum_among(policy, answered))


def shown_by_peers(settings: Settings, origin: str) -> list[Shown]:
    """Returns the newest checkpoint that each other keeper published or was about to; b"" of one that has none."""
    below = origin.rpartition(f"/{LOG}")[2]
    answers = iter(
        call_all([Call(f"{url}{below}/{path}") for url in settings.log_peers for path in (CHECKPOINT, CLAIM)])
    )
    return [
        Shown(CheckpointSource.PEER, f"peer {url}", _newest_answer(next(answers), next(answers)))
        for url in settings.log_peers
    ]


def _newest_answer(*answers: Answer | None) -> bytes | None:
    """Returns the larger checkpoint of some answers; None when one of them is missing or is none."""
    found = []
    for answer in answers:
        if answer is None or answer.status not in (OK, NOT_FOUND):
            return None
        if answer.status == OK:
            found.append(answer.body)
    try:
        return _larger(found)
    except CabildoError:
        return None


def _shown_in(settings: Settings, files: TileFiles) -> Shown:
    source = CheckpointSource.STORE if settings.log_store else CheckpointSource.OWN
    try:
        return Shown(source, source.value, _newest(files))
    except CabildoError:
        return Shown(source, source.value, None)


def _newest(files: TileFiles) -> bytes:
    """Returns the larger one of the public checkpoint and of that which a keeper was about to publish."""
    return _larger([data for path in (CHECKPOINT, CLAIM) if (data := files.read(path)) is not None])


def _larger(checkpoints: Sequence[bytes]) -> bytes:
    return max(checkpoints, key=lambda data: Checkpoint.parse(Note.parse(data).text).size, default=b"")


def _identity(files: TileFiles) -> str:
    """Returns the identity of the files; none of new files, or of a store that is away."""
    try:
        return files.known_identity()
    except CabildoError:
        return ""

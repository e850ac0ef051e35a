"""Asks for the newest published checkpoints: the keepers' files or store, the peers, the witnesses."""

from events.errors import CabildoError
from events.log.publisher import CHECKPOINT
from events.log.reconciliation import CLAIM, Answers, Shown, Source
from events.log.tile_files import TileFiles
from events.merkle.checkpoint import Checkpoint
from events.merkle.notes import Note
from service.proof.bounded_calls import Call, call_all
from service.proof.public_log import LOG, files_of, policy_of
from service.proof.witness_client import quorum_among, shown_to
from service.settings import Settings


def ask_sources(settings: Settings, origin: str) -> Answers:
    """Returns what every source shows of a log."""
    policy, files = policy_of(settings), files_of(settings, origin)
    witnesses = shown_to(policy, origin)
    shown = [_shown_in(settings, files), *shown_by_peers(settings, origin)]
    shown += [Shown(Source.WITNESS, f"witness {name}", data) for name, data in witnesses.items()]
    answered = {name for name, data in witnesses.items() if data is not None}
    return Answers(shown, _identity(files), quorum_among(policy, answered))


def shown_by_peers(settings: Settings, origin: str) -> list[Shown]:
    """Returns the newest checkpoint of each other keeper; b"" of one that has none."""
    below = origin.rpartition(f"/{LOG}")[2]
    answers = call_all([Call(f"{url}{below}/{CHECKPOINT}") for url in settings.log_peers])
    shown = []
    for url, answer in zip(settings.log_peers, answers, strict=True):
        known = {200: answer.body, 404: b""}.get(answer.status) if answer else None
        shown.append(Shown(Source.PEER, f"peer {url}", known))
    return shown


def _shown_in(settings: Settings, files: TileFiles) -> Shown:
    source = Source.STORE if settings.log_store else Source.OWN
    try:
        return Shown(source, source.value, _newest(files))
    except CabildoError:
        return Shown(source, source.value, None)


def _newest(files: TileFiles) -> bytes:
    """Returns the larger one of the public checkpoint and of that which a keeper was about to publish."""
    found = [data for path in (CHECKPOINT, CLAIM) if (data := files.read(path)) is not None]
    return max(found, key=lambda data: Checkpoint.parse(Note.parse(data).text).size, default=b"")


def _identity(files: TileFiles) -> str:
    """Returns the identity of the files; none of new files, or of a store that is away."""
    try:
        return files.known_identity()
    except CabildoError:
        return ""

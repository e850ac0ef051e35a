"""The table of RFC 9457 problem types: error class to type, status and title."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Final, NamedTuple

from events.cold.archive_files import CannotArchive
from events.cold.catalogue import NoSuchArchive
from events.cold.stream_files import ColdFileDamaged
from events.errors import (
    BrokenChain,
    CabildoError,
    CommitOverdue,
    CommitsHang,
    DirectAddressNeeded,
    EventTooLarge,
    GuardsMissing,
    KeyReused,
    LogNotReconciled,
    NotAllowedToMigrate,
    OutcomeUnknown,
    PoolerRefused,
    SchemaMismatch,
    StaleVersion,
    StoreAway,
    StoreReadOnly,
    StoreSilent,
    StreamArchived,
    UnfitEvent,
    UnfitJson,
    UnknownKind,
)
from events.files.file_store import FilesAway, PublishedDiffers
from events.log.event_archive import ArchiveUnreadable
from events.log.leaves import BrokenLog
from events.log.monitor import LogMisbehaves
from events.log.publisher import AnotherHistoryPublished, PublishingRaced
from events.log.recovery import CannotRecover
from events.log.sealer import SealingStopped
from events.merkle.errors import BadKey, BadProof, UnreadableText, UnverifiedNote
from events.merkle.witness import WitnessRefusal
from events.sealing.vault import SealedSecretLost
from projections.games.errors import (
    BrokenCommitment,
    ImpossibleLine,
    NeedlessDraw,
    UnreadableCommitment,
    UnreadableRecord,
)
from projections.games.signed_moves import FalseSignature
from projections.read_models.errors import LeaseLost, ProjectionDiffers, ProjectionParked
from projections.rules.errors import (
    BadFact,
    BadOptions,
    GameIsOver,
    IllegalMove,
    ImpossibleDraw,
    ImpossiblePosition,
    NotYourTurn,
    TimeBudgetExceeded,
    UnknownRules,
    UnreadableMove,
)
from projections.studies.errors import UnreadableStudy
from projections.tournaments.errors import BadRegulations, CannotPair
from projections.verify.checks.case import CheckFailed
from projections.verify.checks.parted import Parted
from projections.verify.editions import NoLaterEdition
from service.core.errors import (
    AccessEnded,
    BadName,
    BadSettings,
    ChanceHidden,
    ChanceRefused,
    EntryRefused,
    InvalidRequest,
    NameConfusable,
    NameReserved,
    NameTaken,
    NoFreeChair,
    NotAllowed,
    NotAtThisStage,
    NotOpen,
    NotRunning,
    NotSealed,
    NotThere,
    OfferRefused,
    QuotaReached,
    RematchProposed,
    RulesNotMoved,
    RulingRefused,
    ScopeMissing,
    ServiceBusy,
    SignatureRefused,
    StoreUnavailable,
    StreamsFull,
    TableClosed,
    TooManyAttempts,
    TooManyStreams,
    TooMuchToVerify,
    Unauthenticated,
    UndoRefused,
    UnreadableBody,
    VerificationStopped,
    WebhookRefused,
    WishRefused,
)
from service.core.sealing.key_rotation import MasterKeyMissing
from service.moderation.errors import AccountBlocked, BlockRefused
from service.moderation.reports.errors import ReportsFull, TooManyReports
from service.oauth.errors import TooManyLogins
from service.players.errors import (
    ConfirmationRequired,
    EmailCodeRefused,
    LoginOver,
    NoMail,
    SecondFactorNeeded,
    SecondFactorOn,
    SecondFactorRefused,
)
from service.players.vacation.errors import PauseRefused, VacationRefused
from service.programmed_answers.errors import AnswerRefused
from service.proof.errors import LogFilesMissing
from service.studies import errors as studies
from service.talk.errors import TalkRefused, TooManyMessages

MEDIA_TYPE = "application/problem+json"
TYPE_PREFIX = "/problems#"


class Problem(NamedTuple):
    """A problem type: its stable name, status and title."""

    name: str
    status: int
    title: str


PROBLEMS: Mapping[type[CabildoError], Problem] = {
    BrokenChain: Problem("broken_chain", 500, "The hash chain of stored events is broken"),
    EventTooLarge: Problem("event_too_large", 413, "An event is too large for the event store"),
    GuardsMissing: Problem("guards_missing", 503, "The database lacks the triggers that protect events"),
    KeyReused: Problem("key_reused", 422, "The idempotency key belongs to another request"),
    LogNotReconciled: Problem("log_not_reconciled", 503, "Writes wait until the public log is reconciled"),
    MasterKeyMissing: Problem("master_key_missing", 503, "Stored secrets need a master key that is not given"),
    NotAllowedToMigrate: Problem("not_allowed_to_migrate", 503, "The database is not set up"),
    OutcomeUnknown: Problem("outcome_unknown", 503, "The connection to the store broke; repeat with the same key"),
    SchemaMismatch: Problem("schema_mismatch", 503, "The database is at another version than this program"),
    StaleVersion: Problem("stale_version", 409, "Another request was faster"),
    StoreAway: Problem("store_away", 503, "The store does not answer; nothing was written"),
    StoreSilent: Problem("store_silent", 503, "The store gives no sign of life; nothing was written"),
    StoreReadOnly: Problem("store_read_only", 503, "The store is read-only; nothing was written"),
    PoolerRefused: Problem("pooler_refused", 503, "The database is reached through a pooler in another role"),
    DirectAddressNeeded: Problem("direct_address_needed", 503, "The address leads through a pooler"),
    CommitOverdue: Problem("commit_overdue", 503, "The write is not confirmed yet; repeat with the same key"),
    CommitsHang: Problem("commits_hang", 503, "Commits wait for a lost standby; nothing was written"),
    UnfitEvent: Problem("unfit_event", 422, "An event does not have the fields of its kind"),
    UnfitJson: Problem("unfit_json", 422, "The value has no canonical bytes"),
    UnknownKind: Problem("unknown_kind", 500, "A stored event is of an unknown kind"),
    BadKey: Problem("bad_key", 422, "A key cannot be trusted"),
    BadProof: Problem("bad_proof", 422, "A proof does not lead to the root it claims"),
    UnreadableText: Problem("unreadable_text", 400, "A note, proof, policy or tile name is not in its format"),
    UnverifiedNote: Problem("unverified_note", 422, "A note carries no valid signature of a known key"),
    WitnessRefusal: Problem("witness_refusal", 409, "The witness does not cosign"),
    StreamArchived: Problem("archived", 409, "The game is archived; nothing is added to it"),
    ColdFileDamaged: Problem("cold_file_damaged", 500, "The file of an archived game is missing or damaged"),
    CannotArchive: Problem("cannot_archive", 500, "A game cannot be archived"),
    NoSuchArchive: Problem("no_such_archive", 404, "There is no archive of this number"),
    ArchiveUnreadable: Problem("archive_unreadable", 500, "Archived events cannot be read"),
    CannotRecover: Problem("cannot_recover", 500, "The published log cannot be restored"),
    BrokenLog: Problem("broken_log", 500, "The log index differs from its events"),
    LogMisbehaves: Problem("log_misbehaves", 500, "A log contradicts itself"),
    LogFilesMissing: Problem("log_files_missing", 503, "This node lacks files of the public log"),
    FilesAway: Problem("files_away", 503, "The files of the public log cannot be reached"),
    AnotherHistoryPublished: Problem("another_history_published", 500, "The public log has another history"),
    PublishingRaced: Problem("publishing_raced", 503, "Several keepers publish at the same time"),
    PublishedDiffers: Problem("published_differs", 500, "A published file differs from the log"),
    SealingStopped: Problem("sealing_stopped", 500, "The log is not signed"),
    FalseSignature: Problem("false_signature", 422, "A player's signature does not match the statement"),
    BrokenCommitment: Problem("broken_promise", 422, "A revealed value differs from its commitment"),
    Parted: Problem("parted", 422, "A recorded game breaks its rules"),
    CheckFailed: Problem("check_failed", 422, "A bundle does not prove what it claims"),
    NoLaterEdition: Problem("no_later_edition", 422, "The other archive is not an edition of this tournament"),
    UnreadableCommitment: Problem("unreadable_promise", 422, "A commitment to chance has the wrong format"),
    SealedSecretLost: Problem("sealed_seed_lost", 500, "A stored secret cannot be opened"),
    BadFact: Problem("bad_fact", 422, "A recorded fact is impossible"),
    BadOptions: Problem("bad_options", 422, "The options of the game are unknown or do not fit together"),
    UnknownRules: Problem("unknown_rules", 500, "The program does not have the rules version of the game"),
    GameIsOver: Problem("game_is_over", 422, "The game is over"),
    IllegalMove: Problem("illegal_move", 422, "The rules do not allow the move now"),
    ImpossibleDraw: Problem("impossible_draw", 422, "A declared draw is impossible"),
    ImpossiblePosition: Problem("impossible_position", 422, "The position breaks the rules' invariants"),
    TimeBudgetExceeded: Problem("takes_too_long", 422, "The request takes longer than the service allows"),
    ImpossibleLine: Problem("impossible_line", 422, "A line is illegal; it is the first such line"),
    NeedlessDraw: Problem("needless_draw", 422, "The declared draws are more than the game makes"),
    NotYourTurn: Problem("not_your_turn", 422, "Another seat is to act"),
    LeaseLost: Problem("lease_lost", 409, "Another rebuild of the read model has started"),
    ProjectionDiffers: Problem("projection_differs", 409, "The rebuilt read model differs from the one in use"),
    ProjectionParked: Problem("projection_parked", 500, "A read model met an entry that it cannot apply"),
    BadRegulations: Problem("bad_regulations", 422, "The regulations are unknown or do not fit together"),
    CannotPair: Problem("cannot_pair", 422, "The present players cannot be seated as the regulations require"),
    UnreadableMove: Problem("unreadable_move", 400, "The text is not a move"),
    UnreadableRecord: Problem("unreadable_record", 400, "A line of a record cannot be read"),
    UnreadableStudy: Problem("unreadable_study", 400, "A line of a study cannot be read"),
    BadSettings: Problem("bad_settings", 500, "The service is not set up correctly"),
    InvalidRequest: Problem("invalid_request", 422, "Some fields are invalid"),
    StreamsFull: Problem("streams_full", 503, "The service has no room for another stream"),
    TooManyStreams: Problem("too_many_streams", 429, "There are as many open streams as there may be"),
    StoreUnavailable: Problem("store_unavailable", 503, "A store does not answer"),
    TooManyLogins: Problem("too_many_logins", 429, "Too many logins of programs wait"),
    TooManyAttempts: Problem("too_many_attempts", 429, "There were too many attempts; try again later"),
    ReportsFull: Problem("reports_full", 503, "Too many reports wait for the administrators"),
    TooManyReports: Problem("too_many_reports", 429, "The account has reported enough for a day"),
    TalkRefused: Problem("talk_refused", 409, "The client may not write here, or not now"),
    AnswerRefused: Problem("answer_refused", 409, "The client may not leave this answer for the seat"),
    TooManyMessages: Problem("too_many_messages", 429, "The account has written enough for a while"),
    ServiceBusy: Problem("service_busy", 503, "The service has too much of this work; try again later"),
    BadName: Problem("bad_name", 422, "The name is not allowed"),
    NameConfusable: Problem("name_confusable", 409, "The name looks like another player's"),
    NameReserved: Problem("name_reserved", 422, "The name is reserved for the service"),
    NameTaken: Problem("name_taken", 409, "Another player has this name"),
    Unauthenticated: Problem("unauthenticated", 401, "The request is not authenticated"),
    ConfirmationRequired: Problem("confirmation_required", 403, "The password has to be given again"),
    SecondFactorNeeded: Problem("second_factor_needed", 401, "A code of the second factor is needed"),
    SecondFactorRefused: Problem("second_factor_refused", 401, "The code of the second factor is wrong or was used"),
    LoginOver: Problem("login_over", 401, "The login took too long"),
    NoMail: Problem("no_mail", 409, "This service sends no mail"),
    EmailCodeRefused: Problem("email_code_refused", 422, "The code does not confirm the e-mail address"),
    SecondFactorOn: Problem("second_factor_on", 409, "The account has a second factor"),
    AccountBlocked: Problem("blocked", 403, "The account is blocked until a time"),
    BlockRefused: Problem("block_refused", 422, "The account cannot be blocked in this way"),
    AccessEnded: Problem("access_ended", 403, "The access ended while the request waited"),
    ScopeMissing: Problem("scope_missing", 403, "The token lacks the required scope"),
    NotAllowed: Problem("not_allowed", 403, "The client may not do this"),
    TableClosed: Problem(
        "table_closed_until_deal_ends", 403, "The table is closed until the last of its deal has ended"
    ),
    NotThere: Problem("not_there", 404, "Not found, or hidden from you"),
    NotOpen: Problem("not_open", 409, "The game has already started"),
    NotRunning: Problem("not_running", 409, "The game is not running"),
    NoFreeChair: Problem("no_free_chair", 409, "No chair is free for this player"),
    ChanceRefused: Problem("chance_refused", 422, "The seat's contribution to chance does not fit"),
    RematchProposed: Problem("rematch_proposed", 409, "Another player has proposed the rematch"),
    SignatureRefused: Problem("signature_refused", 422, "The move is not signed with the key of its seat"),
    VerificationStopped: Problem(
        "verification_stopped", 422, "The verification takes more than the service spends on one"
    ),
    TooMuchToVerify: Problem("too_much_to_verify", 413, "The archive is too large to be verified here"),
    NotSealed: Problem("not_sealed", 409, "The required events are not sealed yet"),
    ChanceHidden: Problem("chance_hidden", 422, "Chance is not revealed before a move is made"),
    UndoRefused: Problem("undo_refused", 422, "The move cannot be taken back"),
    RulesNotMoved: Problem("rules_not_moved", 422, "The game cannot be moved to these rules"),
    OfferRefused: Problem("offer_refused", 422, "There is no such offer, or none can be made now"),
    PauseRefused: Problem("pause_refused", 409, "The clocks cannot stop now, or do not stand"),
    VacationRefused: Problem("vacation_refused", 409, "The days away cannot be declared or ended"),
    studies.AnotherHistory: Problem("another_history", 409, "The hash is not that of the game's event"),
    studies.EditConflict: Problem("edit_conflict", 409, "Another editor has changed this already"),
    studies.GameRuns: Problem("game_runs", 409, "The game is not over"),
    studies.LimitReached: Problem("limit_reached", 422, "The limit is reached"),
    studies.QuestionsOpen: Problem("questions_open", 409, "The lesson has a question that you have not answered"),
    studies.StudyDeleted: Problem("study_deleted", 410, "The study was deleted"),
    studies.StudyRefused: Problem("study_refused", 422, "The study refuses the edit"),
    NotAtThisStage: Problem("not_at_this_stage", 409, "The state of the tournament does not allow this"),
    EntryRefused: Problem("entry_refused", 409, "The entry is refused"),
    RulingRefused: Problem("ruling_refused", 422, "The ruling is refused"),
    WishRefused: Problem("wish_refused", 422, "The wish for a seat is refused"),
    QuotaReached: Problem("quota_reached", 422, "The account has as many of these as it may have"),
    WebhookRefused: Problem("webhook_refused", 422, "The webhook address is refused"),
    UnreadableBody: Problem("unreadable_body", 400, "The body cannot be read"),
}
REMEDIES: Final = {  # status -> what a program does
    HTTPStatus.UNAUTHORIZED: "authenticate",
    HTTPStatus.CONFLICT: "read_again",
    HTTPStatus.TOO_MANY_REQUESTS: "wait",
    HTTPStatus.SERVICE_UNAVAILABLE: "wait",
}
RFC_9110_NAMES = {  # by RFC 9110; Python had other phrases before 3.13
    413: "content_too_large",
    414: "uri_too_long",
    416: "range_not_satisfiable",
    422: "unprocessable_content",
}


def problem_of(error: CabildoError) -> Problem:
    """Returns the problem type of an error's class or of its nearest base class; raises LookupError."""
    for ancestor in type(error).__mro__:
        if ancestor in PROBLEMS:
            return PROBLEMS[ancestor]
    raise LookupError(f"{type(error).__name__} has no row in PROBLEMS") from error


def remedy(problem: Problem) -> str:
    """Returns what a program does about a problem: change, authenticate, read_again or wait."""
    return REMEDIES.get(HTTPStatus(problem.status), "change")


def type_name(status: int) -> str:
    """The type of what HTTP itself refuses: the phrase of its status, the same under every Python."""
    return RFC_9110_NAMES.get(status) or HTTPStatus(status).phrase.lower().replace(" ", "_").replace("-", "_")

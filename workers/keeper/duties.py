"""The table of the keeper's duties."""

from functools import partial

from projections.read_models.projector import Projection
from projections.read_models.registry import READ_MODELS, advance_one
from workers.analysis_job import RequeueAnalyses
from workers.keeper.checkpoints import ThinCheckpoints
from workers.keeper.clocks import CallAnswers, CallBots, SettleClocks, delete_old_answers
from workers.keeper.duty_context import KeeperContext
from workers.keeper.erasures import EraseGuests, FinishErasures
from workers.keeper.keeper import Duty, Work
from workers.keeper.log_duties import LOG_DUTIES
from workers.keeper.mails import DeleteExpiredMail, SendMails
from workers.keeper.master_keys import ResealArchive, ResealSecrets
from workers.keeper.months import prepare_months
from workers.keeper.notices import CollectNotices, SendPushes
from workers.keeper.open_tables import AnnounceExpiries
from workers.keeper.reports import DeleteOldReports
from workers.keeper.talk import SweepOldTalk
from workers.keeper.tournaments import AdvanceTournaments
from workers.keeper.vacations import KeepVacations
from workers.keeper.webhooks import QueueWebhookMessages


def update(model: Projection) -> Duty:
    """Returns the duty that applies new log entries to a read model: one that is slow or parked delays no other."""

    def prepare(_context: KeeperContext) -> Work:
        return partial(advance_one, model=model)

    return Duty(f"read model {model.name}", 0.05, prepare)


DUTIES: tuple[Duty, ...] = (
    *LOG_DUTIES,
    *(update(model) for model in READ_MODELS.values()),
    Duty("time", 0.5, SettleClocks),
    Duty("days away", 0.5, KeepVacations),
    Duty("tournaments", 0.2, AdvanceTournaments),
    Duty("webhooks", 0.2, QueueWebhookMessages),
    Duty("call bots", 2.0, CallBots),
    Duty("call answers", 2.0, CallAnswers),
    Duty("call analyses", 20.0, RequeueAnalyses),
    Duty("open tables", 60.0, AnnounceExpiries),
    Duty("finish erasures", 5.0, FinishErasures),
    Duty("erase guests", 600.0, EraseGuests),
    Duty("reseal secrets", 5.0, ResealSecrets),
    Duty("reseal archive", 60.0, ResealArchive, led=False),  # each keeper has a directory
    Duty("notices", 1.0, CollectNotices),
    Duty("pushes", 0.5, SendPushes),
    Duty("mails", 0.5, SendMails),
    Duty("delete expired mail", 60.0, DeleteExpiredMail),
    Duty("months of events", 3600.0, prepare_months),
    Duty("thin checkpoints", 3600.0, ThinCheckpoints),
    Duty("delete old reports", 3600.0, DeleteOldReports),
    Duty("delete old talk", 3600.0, SweepOldTalk),
    Duty("forget answers", 3600.0, delete_old_answers),
)

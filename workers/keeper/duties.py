"""The table of the keeper's duties."""

from projections.read_models.registry import advance_all
from workers.analysis_job import RequeueAnalyses
from workers.keeper.checkpoints import ThinCheckpoints
from workers.keeper.clocks import CallBots, SettleClocks, delete_old_answers
from workers.keeper.duty_context import KeeperContext
from workers.keeper.erasures import FinishErasures
from workers.keeper.keeper import Duty, Work
from workers.keeper.log_duties import LOG_DUTIES
from workers.keeper.open_tables import AnnounceExpiries
from workers.keeper.reports import DeleteOldReports
from workers.keeper.tournaments import AdvanceTournaments
from workers.keeper.webhooks import QueueWebhookMessages


def update_read_models(_context: KeeperContext) -> Work:
    """Applies new log entries to the read models."""
    return advance_all


DUTIES: tuple[Duty, ...] = (
    *LOG_DUTIES,
    Duty("project", 0.05, update_read_models),
    Duty("time", 0.5, SettleClocks),
    Duty("tournaments", 0.2, AdvanceTournaments),
    Duty("webhooks", 0.2, QueueWebhookMessages),
    Duty("call bots", 2.0, CallBots),
    Duty("call analyses", 20.0, RequeueAnalyses),
    Duty("open tables", 60.0, AnnounceExpiries),
    Duty("finish erasures", 5.0, FinishErasures),
    Duty("thin checkpoints", 3600.0, ThinCheckpoints),
    Duty("delete old reports", 3600.0, DeleteOldReports),
    Duty("forget answers", 3600.0, delete_old_answers),
)

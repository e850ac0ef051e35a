"""Each kind of event, its data and its older shapes; a new kind is a row in the table of its stream."""

from events.kinds import game, study, tournament
from events.kinds.registry import Kinds

KINDS = Kinds((*game.KINDS, *study.KINDS, *tournament.KINDS))

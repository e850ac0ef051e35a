"""Templates are played to their end by the fewest and the most they are made for."""

import pytest

from projections.tournaments.advancement import advancing
from projections.tournaments.regulations import read_stage, regulation_warnings
from projections.tournaments.templates import TABLE, Template
from projections.tournaments.values import Entrant
from tests.support.tournaments.random_rounds import Play, field

FEWEST_AND_MORE = [(template, players) for template in TABLE for players in (template.players[0], template.players[-1])]


@pytest.mark.parametrize(("template", "players"), FEWEST_AND_MORE, ids=lambda value: getattr(value, "name", value))
def test_a_template_is_played_stage_after_stage(template: Template, players: int) -> None:
    entrants = field(min(players, 60))
    for document in template.stages:
        stage = read_stage(document)
        play = Play(stage, entrants).all_rounds()
        assert play.rounds
        going = advancing(stage, play.rounds, entrants)
        entrants = tuple(Entrant(player, number, number) for number, player in enumerate(going.players, 1))
    if len(template.stages) > 1:
        assert len(play.pairings[-1].tables) == 1


@pytest.mark.parametrize("template", TABLE, ids=lambda template: template.name)
def test_every_tie_is_broken_in_the_end(template: Template) -> None:
    for document in template.stages:
        assert "may_not_separate" not in {doubt.code for doubt in regulation_warnings(read_stage(document))}

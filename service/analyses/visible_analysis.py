"""Queries of analyses as a player may see them: the analysis with its game, all figures, the Markdown report."""

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from service.analyses import documents, queries
from service.analyses.documents import AnalysisSummary, CompleteAnalysis
from service.analyses.queries import Analysis
from service.container import Container
from service.core.errors import NotThere
from service.games.visibility import Visibility, visible_game
from service.studies.errors import GameRuns
from service.studies.queries import chairs


class VisibleAnalysis(NamedTuple):
    """An analysis without its figures, and its game as the player may see it."""

    game: Visibility
    document: AnalysisSummary
    language: str


def finished_game(here: Container, game: UUID, player: str | None) -> Visibility:
    """Returns a game as the player may see it; raises NotThere, or GameRuns for a running game, which gets no help."""
    seen = visible_game(here.games, here.deals, game, player)
    if not seen.is_over:
        raise GameRuns(str(game))
    return seen


def analysis_of(here: Container, analysis: UUID, player: str | None) -> Analysis:
    """Returns an analysis; raises NotThere alike for an absent one and one of a hidden game."""
    with here.stores.pool.connection() as connection:
        found = queries.get(connection, analysis)
    try:
        visible_game(here.games, here.deals, found.game, player)
    except NotThere as hidden:
        raise NotThere("analysis", analysis) from hidden
    return found


def visible_analysis(here: Container, analysis: UUID, player: str | None, language: str) -> VisibleAnalysis:
    """Returns an analysis without its figures; raises NotThere or GameRuns."""
    found = analysis_of(here, analysis, player)
    game = finished_game(here, found.game, player)
    with here.stores.pool.connection() as connection:
        document = documents.analysis_document(connection, found, language, player)
    return VisibleAnalysis(game, document, language)


def complete_document(here: Container, analysis: VisibleAnalysis) -> CompleteAnalysis:
    """Returns the document of an analysis with its figures."""
    with here.stores.pool.connection() as connection:
        found = queries.figures(connection, UUID(analysis.document["id"]))
    table, history = analysis.game.table, here.games.history(analysis.game.table.id)
    decisions = documents.decisions(table, history, found, analysis.language)
    advice = documents.advice(analysis.document, decisions, analysis.language)
    return {**analysis.document, "decisions": decisions, "advice": advice}


def seat_names(here: Container, analysis: VisibleAnalysis) -> Sequence[str]:
    """Returns the names of the seats of the game."""
    return chairs(here, analysis.game, analysis.language)


def markdown_analysis(here: Container, analysis: VisibleAnalysis, seats: Sequence[str]) -> str:
    """Returns an analysis as a Markdown report that links to the page of its game."""
    address = f"{here.settings.public_url}/games/{analysis.game.table.id}"
    return documents.markdown(complete_document(here, analysis), seats, address, analysis.language)

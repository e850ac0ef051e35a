"""The HTML pages; each subject is a module and a row of this table."""

from flask import Blueprint

from service.pages.games import lobby, new_game, play, seats, verify
from service.pages.moderation import admin_games, admin_players, admin_record, admin_reports, admin_texts, reports
from service.pages.players import profile, ratings, recovery, webhooks
from service.pages.players.account import access_forms, email_forms, owner_forms, page, token_forms
from service.pages.site import changelog, home
from service.pages.studies import studies
from service.pages.tournaments import declare, directors_desk, enter, event_log, overview, ruling_forms

PAGES: tuple[Blueprint, ...] = (
    home.pages,
    changelog.pages,
    play.pages,
    lobby.pages,
    new_game.pages,
    seats.pages,
    profile.pages,
    page.pages,
    owner_forms.pages,
    access_forms.pages,
    email_forms.pages,
    token_forms.pages,
    recovery.pages,
    webhooks.pages,
    ratings.pages,
    studies.pages,
    overview.pages,
    enter.pages,
    declare.pages,
    directors_desk.pages,
    ruling_forms.pages,
    event_log.pages,
    verify.pages,
    reports.pages,
    admin_reports.pages,
    admin_players.pages,
    admin_texts.pages,
    admin_games.pages,
    admin_record.pages,
)

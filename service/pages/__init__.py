"""The HTML pages; each subject is a module and a row of this table."""

from flask import Blueprint

from service.pages.games import invitations, lobby, new_game, own_games, play, seats, verify
from service.pages.guests import keep, learn, play_now
from service.pages.moderation import admin_games, admin_players, admin_record, admin_reports, admin_texts, reports
from service.pages.oauth import consent, device, programs
from service.pages.players import notices, own_settings, profile, ratings, recovery, webhooks
from service.pages.players.account import access_forms, email_forms, owner_forms, page, token_forms, vacation_forms
from service.pages.rules import rulebook
from service.pages.site import home
from service.pages.studies import studies
from service.pages.tournaments import declare, directors_desk, enter, event_log, overview, ruling_forms
from service.pages.watch import embed, now, share

PAGES: tuple[Blueprint, ...] = (
    home.pages,
    play_now.pages,
    keep.pages,
    learn.pages,
    play.pages,
    lobby.pages,
    own_games.pages,
    now.pages,
    embed.pages,
    share.pages,
    new_game.pages,
    invitations.pages,
    seats.pages,
    profile.pages,
    own_settings.pages,
    notices.pages,
    page.pages,
    owner_forms.pages,
    vacation_forms.pages,
    access_forms.pages,
    email_forms.pages,
    token_forms.pages,
    consent.pages,
    device.pages,
    programs.pages,
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
    rulebook.pages,
    reports.pages,
    admin_reports.pages,
    admin_players.pages,
    admin_texts.pages,
    admin_games.pages,
    admin_record.pages,
)

"""Routes of the own settings."""

from service.players.commands.preferences import ChangeSettings, change_settings
from service.players.identity import Identity
from service.players.preferences import schemas
from service.players.preferences.documents import settings_document
from service.players.preferences.stored_settings import settings_of
from service.web.routing import Routes, container

routes = Routes("settings", "Own settings", guests=True)


@routes.on("GET", "/v1/me/settings", answers=schemas.SettingsDocument, scope="read")
def settings(asker: Identity) -> schemas.SettingsSummary:
    """Read your settings: how the pages look, sound and ask, and what you are told of by which way."""
    with container().stores.pool.connection() as connection:
        return settings_document(settings_of(connection, asker.player) or {})


@routes.on(
    "PATCH",
    "/v1/me/settings",
    body=schemas.SettingsChange,
    answers=schemas.SettingsDocument,
    scope="host",
    refuses=(404,),
    while_blocked=True,
)
def change(body: schemas.SettingsBody, asker: Identity) -> schemas.SettingsSummary:
    """Change your settings: they hold on all devices. What the body leaves out stays as it is."""
    return settings_document(change_settings(container(), ChangeSettings(asker, body)))

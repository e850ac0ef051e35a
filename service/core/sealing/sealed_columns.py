"""The table of sealed columns: every column of the database whose secrets are encrypted under the master key.

`Vault.seal` takes a row of it. Start-up checks, `cabildo key status` and the rotation of the master key go through it,
so a column that is not here would be lost with its key; tests find such columns.
"""

from typing import Final

from events.sealing.vault import SealedColumn

SEALED_SEEDS: Final = SealedColumn("seeds", "id", "sealed")  # of games, tournaments and shared deals
WEBHOOK_SECRETS: Final = SealedColumn("webhooks", "id", "secret")
SECOND_FACTORS: Final = SealedColumn("second_factors", "id", "sealed")
EMAIL_ADDRESSES: Final = SealedColumn("email_addresses", "id", "sealed")
RECOVERY_REQUESTS: Final = SealedColumn("recovery_requests", "id", "sealed")
OUTGOING_MAILS: Final = SealedColumn("outgoing_mails", "id", "sealed")
PUSH_SUBSCRIPTIONS: Final = SealedColumn("push_subscriptions", "id", "sealed")
MADE_KEYS: Final = SealedColumn("made_keys", "id", "sealed")

SEALED_COLUMNS: Final = (
    *(SEALED_SEEDS, WEBHOOK_SECRETS, SECOND_FACTORS),
    *(EMAIL_ADDRESSES, RECOVERY_REQUESTS, OUTGOING_MAILS, PUSH_SUBSCRIPTIONS, MADE_KEYS),
)

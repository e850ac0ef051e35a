"""The table of sealed columns: every column of the database whose secrets are encrypted under the master key.

`Vault.seal` takes a row of it. Start-up checks, `cabildo key status` and the rotation of the master key go through it,
so a column that is not here would be lost with its key; tests find such columns.
"""

from typing import Final

from events.sealing.vault import SealedColumn

SEALED_SEEDS: Final = SealedColumn("seeds", "id", "sealed")  # of games, tournaments and shared deals
WEBHOOK_SECRETS: Final = SealedColumn("webhooks", "id", "secret")
SECOND_FACTORS: Final = SealedColumn("second_factors", "id", "sealed")

SEALED_COLUMNS: Final = (SEALED_SEEDS, WEBHOOK_SECRETS, SECOND_FACTORS)

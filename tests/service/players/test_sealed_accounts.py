"""What accounts hold sealed outlives a new master key: addresses are found, codes fit, waiting mails open."""

from events.sealing.master_keys import MasterKeys
from events.sealing.vault import Vault
from events.store.connections import connect
from service.core.clock import now
from service.core.sealing.key_rotation import reseal_all
from service.mail.outbox import Mail, claim_mail, content_of, put_mail
from service.mail.texts import CONFIRM
from service.players.commands.accounts import store_player
from service.players.email.storage import NewAddress, confirm_waiting, email_of, players_with_address, put_waiting
from service.players.second_factor import storage
from service.players.second_factor.totp import new_secret
from tests.support.service.authenticators import AuthenticatorApp

ADDRESS = "anna@example.org"


def test_accounts_outlive_a_new_master_key(database: str) -> None:
    old, new = Vault(MasterKeys(b"o" * 32)), Vault(MasterKeys(b"n" * 32))
    at, secret = now(), new_secret()
    with connect(database) as connection:
        with connection.transaction():
            player = store_player(connection, at, "Anna").id
            put_waiting(connection, old, at, NewAddress(player, ADDRESS, "is", b"code", at + 1))
            assert confirm_waiting(connection, at, player, b"code")
        put_mail(connection, old, at, Mail(player, CONFIRM, ADDRESS, "is", {"code": "x"}, at + 1))
        assert storage.put_secret(connection, old, at, player, player, secret)
        assert [*reseal_all(connection, Vault(MasterKeys(b"n" * 32, previous=b"o" * 32)))]
        stored = email_of(connection, new, at, player).confirmed
        assert stored is not None
        assert (stored.address, stored.language) == (ADDRESS, "is")
        assert players_with_address(connection, new, at, ADDRESS.upper(), 5) == [player]
        claimed = claim_mail(connection, at)
        assert claimed is not None
        assert content_of(new, claimed).to == ADDRESS
        factor = storage.second_factor_of(connection, player)
        assert factor is not None
        code = AuthenticatorApp(f"otpauth://totp/x?secret={secret}").code()
        assert storage.confirm(connection, new, now(), factor, code)
        assert email_of(connection, old, at, player).confirmed is None  # the old key alone opens nothing

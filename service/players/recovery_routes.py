"""Routes of the recovery of accounts."""

from flask import request

from service.players import recovery_schemas as schemas
from service.players.commands.recovery import MakeRecoveryCodes, RecoverAccount, make_recovery_codes, recover_account
from service.players.documents import RecoveryReport, recovery_document
from service.players.identity import Identity
from service.web.routing import Routes, container

routes = Routes("recovery", "Recovery of accounts")


@routes.on("POST", "/v1/recovery", body=schemas.Recovery, answers=schemas.RecoveryDone, refuses=(401, 503))
def recover(body: schemas.RecoveryBody) -> RecoveryReport:
    """Set a new password with a recovery code, which is used up; all sessions end.

    Tokens stay valid unless `revoke_tokens` is set. Wrong codes count as failed logins.
    """
    command = RecoverAccount(
        body["name"], body["code"], body["password"], body.get("revoke_tokens", False), request.remote_addr
    )
    return recovery_document(recover_account(container(), command))


@routes.on("POST", "/v1/me/recovery-codes", answers=schemas.RecoveryCodes, status=201, scope="read", while_blocked=True)
def make_codes(asker: Identity) -> dict[str, list[str]]:
    """Make new recovery codes, each valid once; the old ones become void.

    Only a session may, within ten minutes after its password was given.
    """
    return {"codes": make_recovery_codes(container(), MakeRecoveryCodes(asker))}

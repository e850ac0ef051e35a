"""The table of the commands of players."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from service.container import Container
from service.players.commands import (
    accounts,
    confirmation,
    email,
    erasure,
    guests,
    leaving,
    mailed_recovery,
    preferences,
    recovery,
    second_factor,
    sessions,
    tokens,
    vacation,
)

COMMANDS: Final[Mapping[type, Callable[[Container, Any], object]]] = {
    accounts.CreatePlayer: accounts.create_player,
    accounts.CreateBot: accounts.create_bot,
    accounts.ChangeAccount: accounts.change_account,
    accounts.RegisterKey: accounts.register_key,
    accounts.RemoveKey: accounts.remove_key,
    erasure.ErasePlayer: erasure.erase_player,
    erasure.EraseGuest: erasure.erase_guest,
    leaving.FinishErasure: leaving.finish_erasure,
    tokens.IssueToken: tokens.issue_token,
    tokens.RevokeToken: tokens.revoke_token,
    sessions.LogIn: sessions.log_player_in,
    sessions.FinishLogin: sessions.finish_login,
    sessions.SignUp: sessions.sign_player_up,
    sessions.OpenGuest: guests.open_guest,
    guests.KeepGuest: guests.keep_guest,
    guests.EraseUnusedGuests: guests.erase_unused_guests,
    sessions.LogOut: sessions.log_player_out,
    sessions.EndSession: sessions.end_session,
    sessions.EndSessions: sessions.end_sessions,
    confirmation.ConfirmPassword: confirmation.confirm_password,
    recovery.MakeRecoveryCodes: recovery.make_recovery_codes,
    recovery.RecoverAccount: recovery.recover_account,
    email.SetEmailAddress: email.set_email_address,
    email.ConfirmEmailAddress: email.confirm_email_address,
    email.RemoveEmailAddress: email.remove_email_address,
    preferences.ChangeSettings: preferences.change_settings,
    vacation.DeclareVacation: vacation.declare_vacation,
    vacation.EndVacation: vacation.end_vacation,
    mailed_recovery.AskForRecoveryMail: mailed_recovery.ask_for_recovery_mail,
    mailed_recovery.MailRecoveryCodes: mailed_recovery.mail_recovery_codes,
    second_factor.EnrolSecondFactor: second_factor.enrol_second_factor,
    second_factor.ConfirmSecondFactor: second_factor.confirm_second_factor,
    second_factor.RemoveSecondFactor: second_factor.remove_second_factor,
}

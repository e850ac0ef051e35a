"""Programs as their makers read them, and the metadata of the authorisation server."""

from collections.abc import Sequence
from typing import Final, TypedDict

from service.core.clock import iso_time
from service.oauth.authlib_values import GRANTS, PUBLIC
from service.oauth.programs import SCOPES, Program

AUTHORIZE: Final = "/oauth/authorize"
TOKEN: Final = "/oauth/token"  # noqa: S105 - a path
REVOKE: Final = "/oauth/revoke"
DEVICE: Final = "/oauth/device_authorization"
METADATA: Final = "/.well-known/oauth-authorization-server"


class ProgramSummary(TypedDict):
    """A program."""

    client_id: str
    name: str
    site: str | None
    redirects: Sequence[str]
    created: str | None


def program_document(program: Program) -> ProgramSummary:
    """Returns the document of a program."""
    return {
        "client_id": program.id,
        "name": program.name,
        "site": program.site,
        "redirects": program.redirects,
        "created": iso_time(program.created),
    }


def issuer(public_url: str) -> str:
    """Returns the name of the authorisation server: where the world reaches the service."""
    return public_url.rstrip("/")


def metadata(public_url: str) -> dict[str, object]:
    """Returns what programs need to know of the server."""
    base = issuer(public_url)
    return {
        "issuer": base,
        "authorization_endpoint": base + AUTHORIZE,
        "token_endpoint": base + TOKEN,
        "revocation_endpoint": base + REVOKE,
        "device_authorization_endpoint": base + DEVICE,
        "scopes_supported": list(SCOPES),
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": list(GRANTS),
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": PUBLIC,
        "revocation_endpoint_auth_methods_supported": PUBLIC,
        "authorization_response_iss_parameter_supported": True,
        "service_documentation": f"{base}/docs",
    }

"""Secrets of second factors: their form, the codes of a moment, and the picture that an authenticator app scans."""

import io
from typing import Final, NamedTuple

from pyotp import random_base32
from pyotp.totp import TOTP
from pyotp.utils import strings_equal

from service.core.clock import SECOND

ISSUER: Final = "Cabildo"  # how authenticator apps name the account
STEP_SECONDS: Final = 30  # each code is valid for its step, and for the one before and after it
DRIFT: Final = (0, -1, 1)  # steps that a clock may be wrong by
DIGITS: Final = 6


class Enrolment(NamedTuple):
    """A new secret, which is never shown again."""

    secret: str
    uri: str


def new_secret() -> str:
    """Returns a secret of 160 random bits in base 32."""
    return random_base32()


def step_of(secret: str, code: str, at: int) -> int | None:
    """Returns the step that a code belongs to; None when it is wrong at this moment."""
    totp, now = TOTP(secret, digits=DIGITS, interval=STEP_SECONDS), at // SECOND // STEP_SECONDS
    given = "".join(code.split())
    steps = [now + drift for drift in DRIFT if strings_equal(totp.generate_otp(now + drift), given)]
    return steps[0] if steps else None


def enrolment_uri(secret: str, name: str) -> str:
    """Returns the otpauth URI that hands the secret to an authenticator app."""
    return TOTP(secret, digits=DIGITS, interval=STEP_SECONDS).provisioning_uri(name=name, issuer_name=ISSUER)


def qr_picture(uri: str) -> str:
    """Returns a QR code of a URI as SVG."""
    import segno  # imported on use: slow to load

    picture = io.BytesIO()
    segno.make(uri, micro=False).save(picture, kind="svg", scale=4, xmldecl=False, svgns=True, light="#fff")
    return picture.getvalue().decode()

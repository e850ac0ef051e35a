"""The page that verifies in the browser: it loads nothing from elsewhere, and judges as the other two judges do."""

import base64
import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from flask.testing import FlaskClient

from deploy import verify_standalone
from service import pages
from tests.projections.bundles import POLICY, honest
from tests.projections.forged_games import ALL
from tests.projections.played import played
from tests.projections.retelling import bundle

SCRIPTS = Path(pages.__file__).parent / "static" / "verify"
NODE = shutil.which("node")  # what runs the page's own scripts here; without it only the page itself is checked
OTHER_POLICY = verify_standalone.Policy(str(POLICY).encode())


def judged_in_node(node: str, files: Sequence[bytes]) -> list[tuple[str | None, int | None]]:
    lines = "".join(base64.b64encode(data).decode() + "\n" for data in (str(POLICY).encode(), *files))
    command = [node, str(Path(__file__).parent / "browser_judge.mjs"), str(SCRIPTS)]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, timeout=120, check=True)
    return [(failed, event) for failed, event in map(json.loads, done.stdout.splitlines())]


def judged_alone(data: bytes) -> tuple[str | None, int | None]:
    found = verify_standalone.verify(data, OTHER_POLICY)
    return (found[0], found[2]) if found else (None, None)


def flipped(data: bytes, step: int) -> list[bytes]:
    return [data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :] for at in range(0, len(data), step)]


def test_the_page_judges_every_bundle_and_forgery_like_the_others() -> None:
    whole = bundle(played()).encode()
    files = [*(honest(level).encode() for level in (0, 1, 2)), whole, *(forgery.make() for forgery in ALL)]
    files += flipped(honest().encode(), 17)
    if NODE is not None:
        assert judged_in_node(NODE, files) == [judged_alone(data) for data in files]


def test_the_page_and_its_scripts_are_served(client: FlaskClient) -> None:
    page = client.get("/verify")
    assert page.status_code == 200
    assert "static/verify/page.js" in page.text
    assert "http://" not in page.text.replace("http://www.w3.org", "")
    for script in SCRIPTS.glob("*.js"):
        with client.get(f"/static/verify/{script.name}") as served:
            assert served.data == script.read_bytes()

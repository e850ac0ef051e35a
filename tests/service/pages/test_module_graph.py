"""Pages with a board name all modules of their script in advance, so that none waits for another."""

import re
from pathlib import Path

from flask.testing import FlaskClient

from service.pages.site.module_graph import imported_modules
from tests.support.service.players import running

STATIC = Path("service/pages/static")


def test_the_modules_of_a_page_are_found_to_the_last(tmp_path: Path) -> None:
    (tmp_path / "play").mkdir()
    (tmp_path / "play" / "main.js").write_text(
        'import { a,\n  b } from "../a.js";\nimport "./c.js";\nconst no = "./no.js";\n'
    )
    (tmp_path / "a.js").write_text('export * from "./play/c.js";\n')
    (tmp_path / "play" / "c.js").write_text('// import "./comment.js";\nimport * as main from "./main.js";\n')
    assert imported_modules(tmp_path, "play/main.js") == ("a.js", "play/c.js")


def test_a_page_names_each_module_once_and_they_exist(client: FlaskClient) -> None:
    game, _ = running(client)
    for path, least in ((f"/games/{game}", 40), (f"/games/{game}/embed", 20), ("/learn/puerto_rico", 20)):
        html = client.get(path).text
        hints = re.findall(r'<link rel="modulepreload" href="/static/~[0-9a-f]{16}/([^"]+)">', html)
        assert len(hints) == len(set(hints)) >= least
        assert all((STATIC / name).is_file() for name in hints)

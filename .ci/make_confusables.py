"""Makes service/players/confusables.json from Unicode's confusables.txt (UTS #39).

    .ci/make_confusables.py confusables.txt     # from https://www.unicode.org/Public/security/latest/

Keeps the characters that can stand in a name after NFKC and look like letters of a European script.
"""

import hashlib
import json
import re
import sys
import unicodedata
from pathlib import Path

TABLE = Path(__file__).parents[1] / "service" / "players" / "confusables.json"
LINE = re.compile(r"^([0-9A-F]+) ;\t([0-9A-F ]+) ;\tMA")
VERSION = re.compile(r"^# Version: (\S+)", re.MULTILINE)
EUROPEAN = (range(0x530), range(0x1E00, 0x2000))  # Latin, Greek, Cyrillic, their marks
IN_NAMES = "LNPSM"  # categories: letters, numbers, punctuation, symbols, marks


def main(source: Path) -> None:
    """Writes the table."""
    text = source.read_text(encoding="utf-8-sig")
    version = VERSION.search(text)
    assert version is not None
    table = dict(sorted(row for line in text.splitlines() for row in rows(line)))
    document = {
        "source": "Unicode confusables.txt, https://www.unicode.org/terms_of_use.html",
        "version": version[1],
        "sha256": hashlib.sha256(source.read_bytes()).hexdigest(),
        "looks_like": table,
    }
    TABLE.write_text(json.dumps(document, ensure_ascii=True, indent=0, separators=(",", ":")) + "\n")


def rows(line: str) -> list[tuple[str, str]]:
    """The character of a line and what it looks like; empty where the table does without."""
    found = LINE.match(line)
    if found is None:
        return []
    one = chr(int(found[1], 16))
    like = "".join(chr(int(code, 16)) for code in found[2].split())
    stable = unicodedata.normalize("NFKC", one) == one and unicodedata.category(one)[0] in IN_NAMES
    return [(one, like)] if stable and all(any(ord(part) in block for block in EUROPEAN) for part in like) else []


if __name__ == "__main__":
    main(Path(sys.argv[1]))

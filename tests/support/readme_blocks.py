"""The Python programs in the README of the client."""

import re
from typing import Final

from tests.support.running_program import PROJECT

README: Final = PROJECT / "deploy/clients/python/README.md"
ADDRESS: Final = "http://127.0.0.1:8080"
BLOCK: Final = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def programs(url: str) -> list[str]:
    """Returns the programs in their order, with the address of a running service."""
    return [block.replace(ADDRESS, url) for block in BLOCK.findall(README.read_text())]

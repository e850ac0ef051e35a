"""Splits an SQL file into its statements: a cluster takes changes of its tables one by one."""

import re
from typing import Final

# What may hold a semicolon without ending a statement.
HELD: Final = re.compile(r"--[^\n]*|'(?:[^']|'')*'|\"[^\"]*\"|\$(\w*)\$.*?\$\1\$|;", re.DOTALL)


def split_statements(text: str) -> list[str]:
    """Returns the statements of a file, with the comments in front of them."""
    ends = [found.end() for found in HELD.finditer(text) if found[0] == ";"]
    parts = [text[begin:end] for begin, end in zip([0, *ends], [*ends, len(text)], strict=True)]
    return [part for part in parts if re.sub(r"--[^\n]*", "", part).strip()]

"""Says in the summary when the large sets of published vectors are not at hand."""

import pytest

from tests.support.events import published_vectors


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if published_vectors.folder() is None:
        terminalreporter.write_line("published vectors: no folder shared/vectors, only those written out were checked")

"""Refusals of bundles."""

from events.errors import CabildoError


class LogFilesMissing(CabildoError):
    """This node lacks files of the public log, without which a bundle would have no proof."""

    def __init__(self) -> None:
        super().__init__("this node lacks files of the public log; ask again later, or another node")

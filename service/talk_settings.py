"""The settings of table talk: how much of it there may be, and for how long."""

import dataclasses

from service.setting_parsers import setting, whole_number


@dataclasses.dataclass(frozen=True, kw_only=True)
class TalkSettings:
    """How much may be said, and how long it is kept."""

    talk_per_minute: int = setting(
        "CABILDO_TALK_PER_MINUTE",
        whole_number(1, 10**6),
        "messages that an account with its bots may write at tables and in tournaments in a minute",
        "12",
    )
    talk_per_day: int = setting("CABILDO_TALK_PER_DAY", whole_number(1, 10**6), "the same in a day", "500")
    talk_per_table: int = setting(
        "CABILDO_TALK_PER_TABLE", whole_number(1, 10**6), "messages in one room of a table or tournament", "2000"
    )
    talk_days: int = setting(
        "CABILDO_TALK_DAYS",
        whole_number(1, 3_650),
        "days after the end of a game or tournament, after which its messages are deleted",
        "180",
    )

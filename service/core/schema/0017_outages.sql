-- Times in which no keeper worked, each stored once: clocks stand still in them. The stream of a game takes an outage
-- up before its next event.
CREATE TABLE outages (
    since bigint PRIMARY KEY, -- microseconds; events name an outage by it
    until bigint NOT NULL CHECK (until > since)
);
CREATE INDEX outages_by_end ON outages (until);

GRANT SELECT, INSERT ON outages TO cabildo_service;

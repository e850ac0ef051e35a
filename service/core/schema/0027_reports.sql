-- What players report to the administrators. Only administrators read who reported what; the row goes with its account.
CREATE TABLE reports (
    id uuid PRIMARY KEY,
    reporter uuid NOT NULL REFERENCES players,
    about text NOT NULL, -- player, game, study, comment ...
    thing uuid NOT NULL, -- of the player, game, study or tournament
    number bigint NOT NULL, -- of the chapter, comment, event ... in it; 0: the thing itself
    kind text NOT NULL, -- abuse, spam ...
    words text NOT NULL, -- of the reporter
    created bigint NOT NULL,
    settled bigint, -- null: open
    outcome text, -- dismissed, acted
    note text -- of the administrator who settled it
);
CREATE UNIQUE INDEX reports_once ON reports (about, thing, number, reporter) WHERE settled IS NULL;
CREATE INDEX reports_by_reporter ON reports (reporter, created);
CREATE INDEX reports_by_settlement ON reports (settled) WHERE settled IS NOT NULL;
GRANT SELECT, INSERT, UPDATE, DELETE ON reports TO cabildo_service;

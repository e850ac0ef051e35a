-- All streams there are, for lists and for finding what is still open.
CREATE TABLE streams (
    stream uuid PRIMARY KEY,
    kind text NOT NULL, -- game, tournament, study
    version bigint NOT NULL,
    head bytea NOT NULL,
    last_kind text NOT NULL, -- of event
    started bigint NOT NULL, -- microseconds since 1970
    last_at bigint NOT NULL
);
CREATE INDEX streams_by_age ON streams (kind, started DESC, stream);
CALL add_projection('streams', 'streams');

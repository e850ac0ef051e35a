-- What happened. The body holds the canonical bytes; the other columns can be read out of it.
CREATE TABLE events (
    stream uuid NOT NULL,
    seq bigint NOT NULL CHECK (seq > 0),
    kind text NOT NULL,
    at bigint NOT NULL, -- microseconds since 1970
    hash bytea NOT NULL,
    body bytea NOT NULL,
    PRIMARY KEY (stream, seq)
) PARTITION BY HASH (stream);

DO $$
BEGIN
    FOR number IN 0..3 LOOP
        EXECUTE format(
            'CREATE TABLE events_%s PARTITION OF events FOR VALUES WITH (MODULUS 4, REMAINDER %s)', number, number
        );
    END LOOP;
END $$;

-- Written in the event's own transaction, taken away by the sequencer. The number orders what waits; nobody follows it.
CREATE TABLE outbox (
    number bigint GENERATED ALWAYS AS IDENTITY,
    stream uuid NOT NULL,
    seq bigint NOT NULL,
    hash bytea NOT NULL,
    PRIMARY KEY (number, stream)
) WITH (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);

-- Every event once, under a dense number: the order for all who follow, and the leaves of the public log.
CREATE TABLE log (
    idx bigint PRIMARY KEY CHECK (idx >= 0),
    stream uuid NOT NULL,
    seq bigint NOT NULL,
    hash bytea NOT NULL,
    leaf bytea NOT NULL,
    UNIQUE (stream, seq)
);

-- Answers kept for repeated requests. They belong to who asked, not to a stream.
CREATE TABLE answers (
    scope text NOT NULL,
    name text NOT NULL,
    request bytea NOT NULL,
    answer bytea NOT NULL,
    at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (scope, name)
);
CREATE INDEX answers_by_age ON answers (at);

-- Free text beside its event, which holds only the salted hash: it can be erased.
CREATE TABLE texts (
    stream uuid NOT NULL,
    hash bytea NOT NULL,
    salt bytea NOT NULL,
    text text NOT NULL,
    PRIMARY KEY (stream, hash)
);

GRANT SELECT, INSERT ON events, outbox TO cabildo_service;
GRANT SELECT ON log TO cabildo_service;
GRANT SELECT, INSERT, DELETE ON answers, texts TO cabildo_service;

-- For people who search: the events as documents.
CREATE VIEW event_documents AS
    SELECT stream, seq, kind, to_timestamp(at / 1e6) AS at, convert_from(body, 'UTF8')::jsonb AS document FROM events;
GRANT SELECT ON event_documents TO cabildo_service;

-- Finished games whose events left the database: an archive is a set of files with a manifest, in a directory or bucket.
-- A stream is whole in the database or whole in one file; the log keeps its entries. Only the owner writes these tables.
CREATE TABLE cold_archives (
    number integer PRIMARY KEY CHECK (number > 0),
    month text NOT NULL, -- in which its streams began
    place text NOT NULL, -- a directory, or s3://BUCKET/PREFIX
    folder text NOT NULL, -- in that place
    manifest bytea NOT NULL, -- SHA-256 of the manifest in the folder
    streams bigint NOT NULL,
    events bigint NOT NULL,
    log_end bigint NOT NULL, -- all its events have a smaller index in the log
    at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE cold_files (
    archive integer NOT NULL REFERENCES cold_archives (number),
    number integer NOT NULL,
    hash bytea NOT NULL, -- SHA-256 of the file
    PRIMARY KEY (archive, number)
);
CREATE TABLE cold_streams (
    stream uuid PRIMARY KEY,
    kind text NOT NULL, -- of its first event
    events bigint NOT NULL,
    head bytea NOT NULL,
    archive integer NOT NULL,
    file integer NOT NULL,
    FOREIGN KEY (archive, file) REFERENCES cold_files (archive, number)
);
GRANT SELECT ON cold_archives, cold_files, cold_streams TO cabildo_service;

-- Every stream, with the kind of its first event.
CREATE VIEW streams_begun AS
    SELECT stream, kind FROM events WHERE seq = 1
    UNION ALL SELECT stream, kind FROM cold_streams;
GRANT SELECT ON streams_begun TO cabildo_service;

-- An archived stream takes no further event until it is restored. The archive is asked only where no event is found.
CREATE OR REPLACE FUNCTION append(
    new_stream uuid, new_seq bigint, prev bytea, new_kind text, new_at bigint, new_hash bytea, new_body bytea
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF NOT gate_is_open() THEN
        RAISE EXCEPTION 'the log is not reconciled: nothing is written' USING ERRCODE = 'CAB04';
    END IF;
    IF new_seq > 1 AND NOT EXISTS (
        SELECT FROM events WHERE stream = new_stream AND seq = new_seq - 1 AND hash = prev
    ) THEN
        IF EXISTS (SELECT FROM cold_streams WHERE stream = new_stream AND events = new_seq - 1 AND head = prev) THEN
            RAISE EXCEPTION 'stream % is archived', new_stream USING ERRCODE = 'CAB05';
        END IF;
        RAISE EXCEPTION 'stream % has another history', new_stream USING ERRCODE = 'CAB01';
    END IF;
    IF new_seq = 1 AND EXISTS (SELECT FROM cold_streams WHERE stream = new_stream) THEN
        RAISE EXCEPTION 'stream % has another history', new_stream USING ERRCODE = 'CAB01';
    END IF;
    INSERT INTO events (stream, seq, kind, at, hash, body)
        VALUES (new_stream, new_seq, new_kind, new_at, new_hash, new_body)
        ON CONFLICT (stream, seq) DO NOTHING;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'stream % has this version', new_stream USING ERRCODE = 'CAB01';
    END IF;
    -- Commitments are in, a game is over, a round is closed.
    INSERT INTO outbox (stream, seq, hash, barrier) VALUES (new_stream, new_seq, new_hash, new_kind IN (
        'commitments_closed', 'game_ended', 'game_aborted', 'seed_revealed', 'round_closed', 'tournament_closed'
    ));
END $$;

CREATE OR REPLACE FUNCTION require_newest(known_stream uuid, known_seq bigint, known_hash bytea) RETURNS void
LANGUAGE plpgsql STABLE AS $$
DECLARE
    newest record;
BEGIN
    PERFORM require_open_gate();
    SELECT seq, hash INTO newest FROM events WHERE stream = known_stream ORDER BY seq DESC LIMIT 1;
    IF NOT FOUND THEN
        SELECT events AS seq, head AS hash INTO newest FROM cold_streams WHERE stream = known_stream;
    END IF;
    IF newest.seq IS DISTINCT FROM nullif(known_seq, 0) OR (known_seq > 0 AND newest.hash <> known_hash) THEN
        RAISE EXCEPTION 'stream % has another history', known_stream USING ERRCODE = 'CAB01';
    END IF;
END $$;

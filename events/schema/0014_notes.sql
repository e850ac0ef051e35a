-- What is written beside a stream without an event was decided on its newest event, too: if that is not the one that the
-- writer knows, another writer was faster, or the writer remembers events that a failover lost.
CREATE FUNCTION require_newest(known_stream uuid, known_seq bigint, known_hash bytea) RETURNS void
LANGUAGE plpgsql STABLE AS $$
DECLARE
    newest record;
BEGIN
    PERFORM require_open_gate();
    SELECT seq, hash INTO newest FROM events WHERE stream = known_stream ORDER BY seq DESC LIMIT 1;
    IF newest.seq IS DISTINCT FROM nullif(known_seq, 0) OR (known_seq > 0 AND newest.hash <> known_hash) THEN
        RAISE EXCEPTION 'stream % has another history', known_stream USING ERRCODE = 'CAB01';
    END IF;
END $$;

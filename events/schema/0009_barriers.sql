-- Events that others wait for to be sealed bear a mark from their append on, so that nobody has to look at every event
-- once more to find them.
SELECT set_config('cabildo.altering_acts', 'on', true);
ALTER TABLE outbox ADD COLUMN barrier boolean NOT NULL DEFAULT false;
ALTER TABLE log ADD COLUMN barrier boolean NOT NULL DEFAULT false;
CREATE INDEX log_barriers ON log (idx) WHERE barrier;
SELECT set_config('cabildo.altering_acts', '', true);

CREATE OR REPLACE FUNCTION append(
    new_stream uuid, new_seq bigint, prev bytea, new_kind text, new_at bigint, new_hash bytea, new_body bytea
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF new_seq > 1 AND NOT EXISTS (
        SELECT FROM events WHERE stream = new_stream AND seq = new_seq - 1 AND hash = prev
    ) THEN
        RAISE EXCEPTION 'stream % has another history', new_stream USING ERRCODE = 'CAB01';
    END IF;
    INSERT INTO events (stream, seq, kind, at, hash, body)
        VALUES (new_stream, new_seq, new_kind, new_at, new_hash, new_body);
    -- Commitments are in, a game is over, a round is closed.
    INSERT INTO outbox (stream, seq, hash, barrier) VALUES (new_stream, new_seq, new_hash, new_kind IN (
        'commitments_closed', 'game_ended', 'game_aborted', 'seed_revealed', 'round_closed', 'tournament_closed'
    ));
END $$;

CREATE OR REPLACE FUNCTION sequence(most integer) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    moved bigint;
BEGIN
    IF NOT pg_try_advisory_xact_lock(hashtextextended('cabildo.sequencer', 0)) THEN
        RETURN NULL;
    END IF;
    -- A new statement, a new snapshot: it sees what the one who held the lock before has committed.
    WITH taken AS (
        DELETE FROM outbox WHERE ctid = ANY (ARRAY(SELECT ctid FROM outbox ORDER BY number LIMIT most))
        RETURNING number, stream, seq, hash, barrier
    )
    INSERT INTO log (idx, stream, seq, hash, leaf, barrier)
        SELECT
            (SELECT coalesce(max(idx), -1) FROM log) + row_number() OVER (ORDER BY number),
            stream,
            seq,
            hash,
            sha256('\x00'::bytea || '\x01'::bytea || uuid_send(stream) || int8send(seq) || hash),
            barrier
        FROM taken;
    GET DIAGNOSTICS moved = ROW_COUNT;
    RETURN moved;
END $$;

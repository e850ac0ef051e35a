-- The gate binds every writer. It is open only where the newest row of gates was written as open for this database of
-- this server since its start: a restored, copied, promoted or restarted server has another name here, and a keeper has
-- to compare it with what was published before anything is written or ordered.
CREATE FUNCTION running_cluster() RETURNS text LANGUAGE sql STABLE AS $$
    SELECT concat_ws('/',
        (SELECT system_identifier FROM pg_control_system()),
        CASE WHEN pg_is_in_recovery() THEN 'standby' ELSE left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) END,
        (SELECT oid FROM pg_database WHERE datname = current_database()),
        (extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint
    )
$$;

CREATE FUNCTION gate_is_open() RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT coalesce((SELECT open AND cluster = running_cluster() FROM gates ORDER BY number DESC LIMIT 1), false)
$$;

CREATE FUNCTION require_open_gate() RETURNS void LANGUAGE plpgsql STABLE AS $$
BEGIN
    IF NOT gate_is_open() THEN
        RAISE EXCEPTION 'the log is not reconciled: nothing is written' USING ERRCODE = 'CAB04';
    END IF;
END $$;

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
    -- New statements, new snapshots: they see what the one who held the lock before has committed.
    IF NOT gate_is_open() THEN
        RETURN NULL;
    END IF;
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

CREATE OR REPLACE FUNCTION adopt(new_idx bigint, new_stream uuid, new_seq bigint, new_hash bytea) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('cabildo.sequencer', 0));
    IF gate_is_open() THEN
        RAISE EXCEPTION 'the log is open: nothing is adopted' USING ERRCODE = 'CAB03';
    END IF;
    IF new_idx <> (SELECT coalesce(max(idx) + 1, 0) FROM log) OR NOT EXISTS (
        SELECT FROM events WHERE stream = new_stream AND seq = new_seq AND hash = new_hash
    ) THEN
        RAISE EXCEPTION 'event % of % is not next in the log', new_seq, new_stream USING ERRCODE = 'CAB03';
    END IF;
    DELETE FROM outbox WHERE stream = new_stream AND seq = new_seq;
    INSERT INTO log (idx, stream, seq, hash, leaf) VALUES (
        new_idx, new_stream, new_seq, new_hash,
        sha256('\x00'::bytea || '\x01'::bytea || uuid_send(new_stream) || int8send(new_seq) || new_hash)
    );
END $$;

-- Moves what waits into the log, one caller at a time; null when another is at it. The owner's rights do it,
-- so that the service can take nothing out of the outbox in any other way.
CREATE FUNCTION sequence(most integer) RETURNS bigint
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
        RETURNING number, stream, seq, hash
    )
    INSERT INTO log (idx, stream, seq, hash, leaf)
        SELECT
            (SELECT coalesce(max(idx), -1) FROM log) + row_number() OVER (ORDER BY number),
            stream,
            seq,
            hash,
            sha256('\x00'::bytea || '\x01'::bytea || uuid_send(stream) || int8send(seq) || hash)
        FROM taken;
    GET DIAGNOSTICS moved = ROW_COUNT;
    RETURN moved;
END $$;
REVOKE EXECUTE ON FUNCTION sequence(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sequence(integer) TO cabildo_service;

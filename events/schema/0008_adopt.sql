-- Gives an event that was published before a restore its old place in the log again, while signing is off.
-- The owner's rights do it; the service can give it no other place than the next.
CREATE FUNCTION adopt(new_idx bigint, new_stream uuid, new_seq bigint, new_hash bytea) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('cabildo.sequencer', 0));
    IF coalesce((SELECT open FROM gates ORDER BY number DESC LIMIT 1), true) THEN
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
REVOKE EXECUTE ON FUNCTION adopt(bigint, uuid, bigint, bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION adopt(bigint, uuid, bigint, bytea) TO cabildo_service;

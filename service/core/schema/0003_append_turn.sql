-- A move, and what is different in the lobby after it, in one call.
CREATE FUNCTION append_turn(
    new_stream uuid,
    new_seq bigint,
    prev bytea,
    new_kind text,
    new_at bigint,
    new_hash bytea,
    new_body bytea,
    new_seat integer,
    new_decision text,
    new_player text,
    new_engine text,
    new_deadline bigint
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM append(new_stream, new_seq, prev, new_kind, new_at, new_hash, new_body);
    UPDATE games SET
        version = new_seq,
        head = new_hash,
        seat = new_seat,
        decision = new_decision,
        player = new_player,
        engine = new_engine,
        deadline = new_deadline,
        changed = new_at
    WHERE id = new_stream;
END $$;

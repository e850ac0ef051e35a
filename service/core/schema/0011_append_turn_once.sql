-- A move, what is different in the lobby after it, and the answer of the request that asked for it, in one call.
CREATE FUNCTION append_turn_once(
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
    new_deadline bigint,
    key_scope text,
    key_name text,
    key_request bytea,
    new_answer bytea
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM append_turn(
        new_stream,
        new_seq,
        prev,
        new_kind,
        new_at,
        new_hash,
        new_body,
        new_seat,
        new_decision,
        new_player,
        new_engine,
        new_deadline
    );
    INSERT INTO answers (scope, name, request, answer) VALUES (key_scope, key_name, key_request, new_answer);
END $$;

-- One call writes one event and its outbox row. Several calls, and what else belongs to them, make one transaction.
-- The primary key decides every race; the hash of the event before it decides whether it is the same history.
CREATE FUNCTION append(
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
    INSERT INTO outbox (stream, seq, hash) VALUES (new_stream, new_seq, new_hash);
END $$;

-- The same, with the answer of the request that asked for it.
CREATE FUNCTION append_once(
    new_stream uuid, new_seq bigint, prev bytea, new_kind text, new_at bigint, new_hash bytea, new_body bytea,
    key_scope text, key_name text, key_request bytea, new_answer bytea
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM append(new_stream, new_seq, prev, new_kind, new_at, new_hash, new_body);
    INSERT INTO answers (scope, name, request, answer) VALUES (key_scope, key_name, key_request, new_answer);
END $$;

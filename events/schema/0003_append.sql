-- One call writes events, their outbox rows and the answer of the request. The primary keys decide every race.
CREATE FUNCTION append(
    new_stream uuid,
    first bigint,
    prev bytea,
    kinds text[],
    times bigint[],
    hashes bytea[],
    bodies bytea[],
    key_scope text,
    key_name text,
    key_request bytea,
    new_answer bytea
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF first > 1 AND NOT EXISTS (
        SELECT FROM events WHERE stream = new_stream AND seq = first - 1 AND hash = prev
    ) THEN
        RAISE EXCEPTION 'stream % has another history', new_stream USING ERRCODE = 'CAB01';
    END IF;
    INSERT INTO events (stream, seq, kind, at, hash, body)
        SELECT new_stream, first - 1 + n, kind, at, hash, body
        FROM unnest(kinds, times, hashes, bodies) WITH ORDINALITY AS new (kind, at, hash, body, n);
    INSERT INTO outbox (stream, seq, hash)
        SELECT new_stream, first - 1 + n, hash FROM unnest(hashes) WITH ORDINALITY AS new (hash, n) ORDER BY n;
    IF key_name IS NOT NULL THEN
        INSERT INTO answers (scope, name, request, answer) VALUES (key_scope, key_name, key_request, new_answer);
    END IF;
END $$;

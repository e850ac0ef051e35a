-- What the tables of streams take to be spread over several servers by stream (cabildo distribute): keys with the stream in
-- them, refusals of their own in place of the names of tables and constraints, statements without physical addresses of
-- rows, and none that looks up events for each entry of the log.

-- The answer to a request lies with the stream that the request is about.
ALTER TABLE answers ADD COLUMN stream uuid;
UPDATE answers SET stream = md5(scope || ' ' || name)::uuid; -- as for requests about no stream
ALTER TABLE answers ALTER COLUMN stream SET NOT NULL, DROP CONSTRAINT answers_pkey, ADD PRIMARY KEY (stream, scope, name);
CREATE INDEX answers_by_scope ON answers (scope);

CREATE FUNCTION keep_answer(
    key_stream uuid, key_scope text, key_name text, key_request bytea, new_answer bytea
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO answers (stream, scope, name, request, answer)
        VALUES (key_stream, key_scope, key_name, key_request, new_answer)
        ON CONFLICT (stream, scope, name) DO NOTHING;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the key % of % is used', key_name, key_scope USING ERRCODE = 'CAB06';
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

DROP FUNCTION append_once(uuid, bigint, bytea, text, bigint, bytea, bytea, text, text, bytea, bytea);
CREATE FUNCTION append_once(
    new_stream uuid, new_seq bigint, prev bytea, new_kind text, new_at bigint, new_hash bytea, new_body bytea,
    key_stream uuid, key_scope text, key_name text, key_request bytea, new_answer bytea
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM append(new_stream, new_seq, prev, new_kind, new_at, new_hash, new_body);
    PERFORM keep_answer(key_stream, key_scope, key_name, key_request, new_answer);
END $$;

-- What it takes out of the outbox is what it numbers, whatever is committed between its statements. Numbers of the outbox
-- grow within a stream while all writers reach one server; should they not, the order of a stream stays that of its events.
CREATE OR REPLACE FUNCTION sequence(most integer) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    last bigint;
    moved bigint;
BEGIN
    IF NOT pg_try_advisory_xact_lock(hashtextextended('cabildo.sequencer', 0)) THEN
        RETURN NULL;
    END IF;
    -- New statements, new snapshots: they see what the one who held the lock before has committed.
    IF NOT gate_is_open() THEN
        RETURN NULL;
    END IF;
    SELECT max(number) INTO last FROM (SELECT number FROM outbox ORDER BY number LIMIT most) AS first;
    WITH taken AS (
        DELETE FROM outbox WHERE number <= last RETURNING number, stream, seq, hash, barrier
    ), placed AS (
        SELECT *, max(number) OVER (PARTITION BY stream ORDER BY seq) AS place FROM taken
    )
    INSERT INTO log (idx, stream, seq, hash, leaf, barrier)
        SELECT
            (SELECT coalesce(max(idx), -1) FROM log) + row_number() OVER (ORDER BY place, seq),
            stream,
            seq,
            hash,
            sha256('\x00'::bytea || '\x01'::bytea || uuid_send(stream) || int8send(seq) || hash),
            barrier
        FROM placed;
    GET DIAGNOSTICS moved = ROW_COUNT;
    RETURN moved;
END $$;

-- The same as before, with the events read by themselves: which sizes they name among those that are looked at.
CREATE OR REPLACE FUNCTION thin_checkpoints(
    log_name text, below bigint, above bigint, most integer, OUT examined bigint, OUT removed bigint
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    sizes bigint[];
    befores bigint[];
    kept bigint[];
BEGIN
    SELECT array_agg(size ORDER BY size), array_agg(before ORDER BY size) INTO sizes, befores FROM (
        SELECT size, at, lag(size) OVER (ORDER BY size) AS before, lead(at) OVER (ORDER BY size) AS next_at FROM (
            SELECT size, at FROM checkpoints
            WHERE origin = log_name AND size >= coalesce(
                (SELECT max(c.size) FROM checkpoints AS c WHERE c.origin = log_name AND c.size <= above), 0
            )
            ORDER BY size LIMIT most + 2
        ) AS looked_at
    ) AS neighbours
    WHERE before IS NOT NULL AND next_at IS NOT NULL AND size < below AND at < now() - interval '1 day';
    examined := sizes[cardinality(sizes)];
    removed := 0;
    IF examined IS NULL THEN
        RETURN;
    END IF;
    kept := ARRAY( -- events that name a tree
        SELECT names::bigint FROM (
            SELECT convert_from(events.body, 'UTF8')::json #>> '{data,after,size}' AS names
            FROM log JOIN events USING (stream, seq)
            WHERE log.idx >= befores[1] AND events.kind IN ('game_started', 'flag_fell', 'ruled')
        ) AS told
        WHERE names IS NOT NULL AND names::bigint BETWEEN sizes[1] AND examined
    );
    PERFORM set_config('cabildo.thinning', 'on', true);
    WITH old AS (
        SELECT here.size, here.before, checkpoints.at, (
            SELECT next.at FROM checkpoints AS next
            WHERE next.origin = log_name AND next.size > here.size ORDER BY next.size LIMIT 1
        ) AS next_at
        FROM unnest(sizes, befores) AS here (size, before)
        JOIN checkpoints ON checkpoints.origin = log_name AND checkpoints.size = here.size
    ), gone AS (
        DELETE FROM checkpoints USING old
        WHERE checkpoints.origin = log_name AND checkpoints.size = old.size
            AND date_trunc('hour', old.next_at AT TIME ZONE 'UTC') = date_trunc('hour', old.at AT TIME ZONE 'UTC')
            AND NOT EXISTS (SELECT FROM cosignatures AS c WHERE c.origin = log_name AND c.size = old.size)
            AND NOT EXISTS (SELECT FROM unnest(kept) AS named (size) WHERE named.size = old.size)
            AND NOT EXISTS ( -- events that others wait for to be sealed
                SELECT FROM log WHERE barrier AND log.idx >= old.before AND log.idx < old.size
            )
        RETURNING checkpoints.size
    )
    SELECT count(*) INTO removed FROM gone;
    PERFORM set_config('cabildo.thinning', '', true);
END $$;

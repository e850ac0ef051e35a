-- What the tables of games take to be spread over several servers by stream (cabildo distribute).

-- One rematch for each game: a key of its own, since the key of a row of games is its stream alone.
CREATE TABLE rematches (
    game uuid PRIMARY KEY, -- that was over
    rematch uuid NOT NULL
);
INSERT INTO rematches (game, rematch) SELECT rematch_of, id FROM games WHERE rematch_of IS NOT NULL;
ALTER TABLE games DROP CONSTRAINT games_rematch_of_key;
GRANT SELECT, INSERT ON rematches TO cabildo_service;

CREATE FUNCTION note_rematch(old_game uuid, new_game uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO rematches (game, rematch) VALUES (old_game, new_game) ON CONFLICT (game) DO NOTHING;
    IF NOT FOUND AND NOT EXISTS (SELECT FROM rematches WHERE game = old_game AND rematch = new_game) THEN
        RAISE EXCEPTION 'game % has another rematch', old_game USING ERRCODE = 'CAB07';
    END IF;
END $$;

DROP FUNCTION append_turn_once(
    uuid, bigint, bytea, text, bigint, bytea, bytea, integer, text, text, text, bigint, text, text, bytea, bytea
);
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
    key_stream uuid,
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
    PERFORM keep_answer(key_stream, key_scope, key_name, key_request, new_answer);
END $$;

-- The same figures, with accounts and games read in statements of their own.
CREATE OR REPLACE FUNCTION quotas_used(account uuid) RETURNS TABLE (what text, used bigint) LANGUAGE plpgsql STABLE AS $$
DECLARE
    maker uuid := (SELECT coalesce(owner, id) FROM players WHERE id = account);
    own uuid[] := ARRAY(
        SELECT maker WHERE maker IS NOT NULL
        UNION ALL SELECT id FROM players WHERE owner = maker AND forgotten IS NULL
    );
    at_work bigint;
    open bigint;
    bot_seats bigint;
BEGIN
    SELECT count(*), count(*) FILTER (WHERE status = 'open'), coalesce(sum(bots), 0) INTO at_work, open, bot_seats
    FROM (
        SELECT status, (
            SELECT count(*) FROM json_array_elements(chairs) AS chair WHERE chair ->> 'bot' IS NOT NULL
        ) AS bots
        FROM games WHERE host = ANY (own::text[]) AND status IN ('open', 'running') AND tournament IS NULL
    ) AS hosted;
    RETURN QUERY VALUES
        ('games', at_work),
        ('open_tables', open),
        ('bot_seats', bot_seats),
        ('studies', (SELECT count(*) FROM study_makers AS s WHERE s.maker = ANY (own))),
        ('webhooks', (SELECT count(*) FROM webhooks WHERE player = ANY (own))),
        ('tokens', (SELECT count(*) FROM tokens WHERE player = ANY (own))),
        ('bots', (SELECT count(*) FROM unnest(own) AS bot (id) WHERE bot.id <> maker));
END $$;

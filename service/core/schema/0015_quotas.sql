-- Who made which study: what the quota of studies counts.
CREATE TABLE study_makers (
    study uuid PRIMARY KEY,
    maker uuid NOT NULL
);
CREATE INDEX study_makers_by_maker ON study_makers (maker);
GRANT SELECT, INSERT, DELETE ON study_makers TO cabildo_service;

INSERT INTO study_makers (study, maker)
SELECT stream, (convert_from(body, 'UTF8')::json ->> 'actor')::uuid FROM events
WHERE kind = 'study_created' AND stream IN (SELECT stream FROM studies);

CREATE INDEX games_at_work_by_host ON games (host) WHERE status IN ('open', 'running') AND tournament IS NULL;

-- What an account has of each thing that has a quota; a player and the player's bots are one account.
CREATE FUNCTION quotas_used(account uuid) RETURNS TABLE (what text, used bigint) LANGUAGE sql STABLE AS $$
    WITH maker AS (
        SELECT coalesce(owner, id) AS id FROM players WHERE id = account
    ), own AS (
        SELECT id FROM maker UNION ALL SELECT id FROM players WHERE owner = (SELECT id FROM maker) AND forgotten IS NULL
    ), at_work AS (
        SELECT status, chairs FROM games
        WHERE host IN (SELECT id::text FROM own) AND status IN ('open', 'running') AND tournament IS NULL
    )
    SELECT 'games', count(*) FROM at_work
    UNION ALL SELECT 'open_tables', count(*) FROM at_work WHERE status = 'open'
    UNION ALL SELECT 'bot_seats', count(*) FROM at_work, json_array_elements(chairs) AS chair
        WHERE chair ->> 'bot' IS NOT NULL
    UNION ALL SELECT 'studies', count(*) FROM study_makers WHERE maker IN (SELECT id FROM own)
    UNION ALL SELECT 'webhooks', count(*) FROM webhooks WHERE player IN (SELECT id FROM own)
    UNION ALL SELECT 'tokens', count(*) FROM tokens WHERE player IN (SELECT id FROM own)
    UNION ALL SELECT 'bots', count(*) FROM own WHERE id NOT IN (SELECT id FROM maker)
$$;

-- Refuses the transaction that added more than an account may have. Transactions of an account wait for one another
-- here, so that two of them cannot both take the last place.
CREATE FUNCTION check_quotas(account uuid, names text[], mosts bigint[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    beyond text;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended(
        'cabildo.quotas.' || coalesce((SELECT owner FROM players WHERE id = account), account), 0
    ));
    SELECT what INTO beyond FROM unnest(names, mosts) AS quota (what, most) JOIN quotas_used(account) USING (what)
    WHERE used > most LIMIT 1;
    IF beyond IS NOT NULL THEN
        RAISE EXCEPTION USING ERRCODE = 'CAB02', MESSAGE = beyond;
    END IF;
END $$;

-- People at a screen are no accounts of bots. Their names end with the name of their host, also where it changed since.
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
        ('bots', (SELECT count(*) FROM players AS p WHERE p.owner = maker AND p.bot AND p.forgotten IS NULL)),
        ('programs', (SELECT count(*) FROM programs AS p WHERE p.maker = ANY (own)));
END $$;

UPDATE players AS person SET name = regexp_replace(person.name, ' \([^()]*\)$', '') || ' (' || host.name || ')'
FROM players AS host
WHERE host.id = person.owner AND NOT person.bot AND person.forgotten IS NULL AND host.name IS NOT NULL
    AND person.name ~ '^[^()]+ \([^()]*\)$';

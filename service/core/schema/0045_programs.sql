-- Programs of other people: what they may do for a player stands in tokens that follow from the player's consent.
CREATE TABLE programs (
    id text PRIMARY KEY, -- the client_id of OAuth
    maker uuid REFERENCES players, -- null: the command line of the service itself
    name text NOT NULL,
    site text, -- a page about it
    redirects text[] NOT NULL, -- where a browser may be sent with a code
    created bigint NOT NULL
);
CREATE INDEX programs_by_maker ON programs (maker, created);

ALTER TABLE tokens
ADD COLUMN program text REFERENCES programs ON DELETE CASCADE, -- that it was issued to; null: to the player
ADD COLUMN parent uuid REFERENCES tokens ON DELETE CASCADE, -- of a program, with which this one was issued
ADD COLUMN family bytea UNIQUE, -- hash of what all refresh tokens of a consent have in common
ADD COLUMN refresh bytea, -- hash of the one that is valid
ADD COLUMN refresh_until bigint;
CREATE INDEX tokens_by_program ON tokens (program, player) WHERE program IS NOT NULL;
CREATE INDEX tokens_by_parent ON tokens (parent) WHERE parent IS NOT NULL;

ALTER TABLE webhooks ADD COLUMN token uuid REFERENCES tokens ON DELETE CASCADE; -- of a program, that made it
CREATE INDEX webhooks_by_token ON webhooks (token) WHERE token IS NOT NULL;

-- Codes between consent and token, for a minute; they end with the session that consented.
CREATE TABLE program_codes (
    hash bytea PRIMARY KEY,
    program text NOT NULL REFERENCES programs ON DELETE CASCADE,
    player uuid NOT NULL REFERENCES players,
    session uuid NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    redirect text NOT NULL,
    scopes text[] NOT NULL,
    challenge text NOT NULL, -- S256
    created bigint NOT NULL,
    expires bigint NOT NULL,
    used bigint,
    token uuid REFERENCES tokens ON DELETE CASCADE -- that was issued for it
);
CREATE INDEX program_codes_by_player ON program_codes (player, created);
CREATE INDEX program_codes_by_expiry ON program_codes (expires);
CREATE INDEX program_codes_by_program ON program_codes (program);
CREATE INDEX program_codes_by_token ON program_codes (token) WHERE token IS NOT NULL;

-- Logins of programs without a browser, for ten minutes: the player enters the short code on a page.
CREATE TABLE device_logins (
    hash bytea PRIMARY KEY, -- of the device code
    user_code text NOT NULL UNIQUE,
    program text NOT NULL REFERENCES programs ON DELETE CASCADE,
    scopes text[] NOT NULL,
    network text NOT NULL, -- that asked
    created bigint NOT NULL,
    expires bigint NOT NULL,
    asked bigint, -- when the program last asked for the token
    player uuid REFERENCES players, -- who answered
    session uuid REFERENCES sessions (id) ON DELETE CASCADE,
    allowed boolean
);
CREATE INDEX device_logins_by_expiry ON device_logins (expires);
CREATE INDEX device_logins_by_network ON device_logins (network);
CREATE INDEX device_logins_by_program ON device_logins (program);
CREATE INDEX program_codes_by_session ON program_codes (session);
CREATE INDEX device_logins_by_session ON device_logins (session) WHERE session IS NOT NULL;
CREATE INDEX device_logins_by_player ON device_logins (player) WHERE player IS NOT NULL;

GRANT SELECT, INSERT, UPDATE, DELETE ON programs, program_codes, device_logins TO cabildo_service;

-- The same figures, and programs.
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
        ('bots', (SELECT count(*) FROM unnest(own) AS bot (id) WHERE bot.id <> maker)),
        ('programs', (SELECT count(*) FROM programs AS p WHERE p.maker = ANY (own)));
END $$;

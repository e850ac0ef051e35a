-- What players are told of by push and mail: how far news were read for each, what is to be told, and where to.
ALTER TABLE player_settings ADD COLUMN noticed bigint; -- number of the news that were read; null: none were wanted
CREATE TABLE notices (
    player uuid NOT NULL REFERENCES players,
    stream uuid NOT NULL, -- a game or a tournament
    what text NOT NULL,
    due bigint NOT NULL,
    told bigint, -- null: not yet
    PRIMARY KEY (player, stream, what)
);
CREATE INDEX notices_by_due ON notices (due) WHERE told IS NULL;
CREATE INDEX notices_told ON notices (told) WHERE told IS NOT NULL;
CREATE TABLE notices_read (what text PRIMARY KEY, idx bigint NOT NULL); -- how far the log was read for rounds

-- Browsers that take notices. `sealed` holds address and keys, encrypted under the master key and bound to its row.
CREATE TABLE push_subscriptions (
    id uuid PRIMARY KEY,
    player uuid NOT NULL REFERENCES players,
    sealed bytea NOT NULL,
    hash bytea NOT NULL, -- of the address, so that a browser is there once
    language text NOT NULL,
    created bigint NOT NULL,
    UNIQUE (player, hash)
);
CREATE INDEX push_subscriptions_by_key ON push_subscriptions (sealed_under(sealed), id);
CREATE TABLE push_messages (
    id uuid PRIMARY KEY,
    subscription uuid NOT NULL REFERENCES push_subscriptions ON DELETE CASCADE,
    body jsonb NOT NULL CHECK (octet_length(body::text) <= 3000),
    due bigint NOT NULL,
    expires bigint NOT NULL,
    attempts integer NOT NULL DEFAULT 0
);
CREATE INDEX push_messages_by_due ON push_messages (due);
CREATE INDEX push_messages_by_subscription ON push_messages (subscription);
GRANT SELECT, INSERT, UPDATE, DELETE ON notices, notices_read, push_subscriptions, push_messages TO cabildo_service;

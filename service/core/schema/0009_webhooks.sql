-- Where players and hosts want to be told of what happens.
CREATE TABLE webhooks (
    id uuid PRIMARY KEY,
    player uuid NOT NULL REFERENCES players, -- whose it is
    tournament uuid, -- followed; null: the player's own news
    url text NOT NULL,
    secret bytea NOT NULL, -- under the master key
    told bigint NOT NULL, -- up to which number of the news, or version of the tournament, deliveries were laid out
    created bigint NOT NULL,
    delivered bigint, -- when something arrived last
    failed bigint, -- when something did not
    error text -- why
);
CREATE INDEX webhooks_by_player ON webhooks (player, created);

-- What waits to be delivered; gone when it has arrived, or when nobody tries any more.
CREATE TABLE deliveries (
    hook uuid NOT NULL REFERENCES webhooks ON DELETE CASCADE,
    number bigint NOT NULL, -- of the news, or the tournament's version; below nought: a test
    what text NOT NULL,
    stream uuid, -- null: a test
    seq bigint,
    attempts smallint NOT NULL DEFAULT 0,
    due bigint NOT NULL,
    PRIMARY KEY (hook, number)
);
CREATE INDEX deliveries_by_due ON deliveries (due);

GRANT SELECT, INSERT, UPDATE, DELETE ON webhooks, deliveries TO cabildo_service;

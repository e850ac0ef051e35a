-- People and programs who play. Events hold only the id; everything here can be forgotten without touching them.
CREATE TABLE players (
    id uuid PRIMARY KEY,
    name text, -- null: forgotten
    folded text UNIQUE, -- the name without case, by which it is unique
    password text, -- argon2
    bot boolean NOT NULL DEFAULT false,
    owner uuid REFERENCES players, -- of a bot
    engine text, -- of a bot: what plays, and in which version
    created bigint NOT NULL,
    forgotten bigint
);
CREATE INDEX players_by_owner ON players (owner) WHERE owner IS NOT NULL;

-- Bearer tokens, of which only the hash is kept.
CREATE TABLE tokens (
    id uuid PRIMARY KEY,
    player uuid NOT NULL REFERENCES players,
    hash bytea NOT NULL UNIQUE,
    label text NOT NULL,
    scopes text[] NOT NULL,
    created bigint NOT NULL,
    expires bigint,
    used bigint
);
CREATE INDEX tokens_by_player ON tokens (player, created);

-- Browsers that are logged in, by the hash of their cookie.
CREATE TABLE sessions (
    hash bytea PRIMARY KEY,
    player uuid NOT NULL REFERENCES players,
    csrf text NOT NULL,
    created bigint NOT NULL,
    expires bigint NOT NULL
);
CREATE INDEX sessions_by_player ON sessions (player);

GRANT SELECT, INSERT, UPDATE ON players TO cabildo_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON tokens, sessions TO cabildo_service;

-- One row per game, written with each of its events: what lists show, what is due, and at which version.
CREATE TABLE games (
    id uuid PRIMARY KEY,
    version bigint NOT NULL,
    head bytea NOT NULL,
    game text NOT NULL,
    status text NOT NULL,
    host text,
    rated boolean NOT NULL,
    visibility text NOT NULL,
    options json NOT NULL,
    chairs json NOT NULL, -- who sits where, in the form of the summary
    seat smallint, -- to act
    decision text,
    player text, -- to act
    engine text, -- the bot that is to act, if one is
    deadline bigint, -- when something happens by itself, microseconds
    result json,
    tournament uuid,
    rematch_of uuid UNIQUE,
    created bigint NOT NULL,
    changed bigint NOT NULL
) WITH (fillfactor = 50); -- rows are rewritten with each move, in place
CREATE INDEX games_by_creation ON games (created DESC, id DESC);
CREATE INDEX games_by_status ON games (status, created DESC, id DESC);
CREATE INDEX games_by_deadline ON games (deadline) WHERE deadline IS NOT NULL;
CREATE INDEX games_of_bots_to_act ON games (id) WHERE engine IS NOT NULL;

-- Who has a place in which game, to find somebody's games.
CREATE TABLE places (
    id uuid NOT NULL,
    chair smallint NOT NULL,
    player text NOT NULL,
    PRIMARY KEY (id, chair)
);
CREATE INDEX places_by_player ON places (player, id);

-- The board and the record of each game at some recent event; what came after is folded on top.
CREATE TABLE boards (
    id uuid PRIMARY KEY,
    version bigint NOT NULL,
    head bytea NOT NULL,
    record json NOT NULL,
    position json
) WITH (fillfactor = 50);

-- Seeds of the games, under the master key until the last event reveals them.
CREATE TABLE seeds (
    id uuid PRIMARY KEY,
    sealed bytea NOT NULL
);

-- When the service was last seen at work; clocks stand still while it was not.
CREATE TABLE heartbeat (
    one boolean PRIMARY KEY DEFAULT true CHECK (one), -- the only row
    at bigint NOT NULL
);

GRANT SELECT, INSERT, UPDATE ON games, boards, heartbeat TO cabildo_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON places TO cabildo_service;
GRANT SELECT, INSERT ON seeds TO cabildo_service;

-- One row per tournament, written with each of its events: what lists show, and when it is to be attended to.
CREATE TABLE tournaments (
    id uuid PRIMARY KEY,
    version bigint NOT NULL,
    head bytea NOT NULL,
    title bytea NOT NULL, -- the hash of a text
    game text NOT NULL,
    status text NOT NULL,
    visibility text NOT NULL,
    host text NOT NULL,
    entrants integer NOT NULL,
    rounds integer NOT NULL,
    starts bigint,
    ends bigint,
    due bigint, -- when something happens by itself, microseconds
    created bigint NOT NULL,
    changed bigint NOT NULL
) WITH (fillfactor = 50);
CREATE INDEX tournaments_by_creation ON tournaments (created DESC, id DESC);
CREATE INDEX tournaments_by_due ON tournaments (due) WHERE due IS NOT NULL;

-- Who takes part in which tournament.
CREATE TABLE entries (
    id uuid NOT NULL,
    number integer NOT NULL,
    player text NOT NULL,
    gone boolean NOT NULL,
    PRIMARY KEY (id, number)
);
CREATE INDEX entries_by_player ON entries (player, id);

-- The games of tournaments, from their declaration until the tournament knows how they ended.
CREATE TABLE tables_watched (
    id uuid NOT NULL,
    game uuid NOT NULL,
    PRIMARY KEY (id, game)
);
CREATE INDEX tables_watched_by_game ON tables_watched (game);

-- What rulings still have to bring about in games.
CREATE TABLE errands (
    id uuid NOT NULL,
    seq bigint NOT NULL,
    game uuid NOT NULL,
    PRIMARY KEY (id, seq, game)
);

GRANT SELECT, INSERT, UPDATE ON tournaments TO cabildo_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON entries, tables_watched, errands TO cabildo_service;

-- Rated games that are not over: who sits in them, as far as ratings go by it.
CREATE TABLE rating_games (
    stream uuid PRIMARY KEY,
    game text NOT NULL
);
CREATE TABLE rating_seats (
    stream uuid NOT NULL,
    chair smallint NOT NULL,
    seat smallint, -- in turn order; null before the start
    player text NOT NULL,
    program boolean NOT NULL, -- a bot of the house, or an account of a program
    changed boolean NOT NULL DEFAULT false, -- another sat there before
    gone bigint, -- the event with which the player left
    PRIMARY KEY (stream, chair)
);

-- What everybody is worth in a game among their kind, in millionths.
CREATE TABLE ratings (
    game text NOT NULL,
    pool text NOT NULL, -- people, programs
    player text NOT NULL,
    mu bigint NOT NULL,
    sigma bigint NOT NULL,
    games integer NOT NULL,
    PRIMARY KEY (game, pool, player)
);
CREATE INDEX ratings_in_order ON ratings (game, pool, (mu - 3 * sigma) DESC, player);
CREATE INDEX ratings_by_player ON ratings (player);

-- What a game changed, with the event that did it.
CREATE TABLE rating_changes (
    player text NOT NULL,
    idx bigint NOT NULL, -- of the log
    game text NOT NULL,
    pool text NOT NULL,
    stream uuid NOT NULL,
    seq bigint NOT NULL,
    at bigint NOT NULL,
    place smallint NOT NULL, -- among those who were rated with it
    players smallint NOT NULL,
    mu_before bigint NOT NULL,
    sigma_before bigint NOT NULL,
    mu bigint NOT NULL,
    sigma bigint NOT NULL,
    PRIMARY KEY (player, idx)
);

-- What ratings are computed from, in the order of the log, each with a hash over itself and all before it.
CREATE TABLE rating_inputs (
    game text NOT NULL,
    pool text NOT NULL,
    number bigint NOT NULL, -- from 1
    idx bigint NOT NULL,
    body bytea NOT NULL, -- canonical JSON
    hash bytea NOT NULL,
    PRIMARY KEY (game, pool, number)
);
CALL add_projection('ratings', 'rating_games', 'rating_seats', 'ratings', 'rating_changes', 'rating_inputs');

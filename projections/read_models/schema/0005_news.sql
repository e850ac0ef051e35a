-- What a player is told about: a stream of one's own over all games.
CREATE TABLE news (
    player text NOT NULL,
    number bigint NOT NULL, -- grows with the log
    stream uuid NOT NULL,
    seq bigint NOT NULL,
    what text NOT NULL,
    PRIMARY KEY (player, number)
);
-- Who sits where, as far as the news go.
CREATE TABLE news_seats (
    stream uuid NOT NULL,
    chair smallint NOT NULL,
    seat smallint, -- in turn order; null before the start
    player text NOT NULL,
    gone boolean NOT NULL DEFAULT false, -- a bot plays on
    PRIMARY KEY (stream, chair)
);
CALL add_projection('news', 'news', 'news_seats');

-- What happened in which round of a game: what games are searched by.
CREATE TABLE happened (
    stream uuid NOT NULL,
    seq bigint NOT NULL,
    place smallint NOT NULL, -- among the facts of the event
    fact text NOT NULL,
    seat smallint, -- null: the mark between two rounds
    subject text,
    round smallint NOT NULL,
    nth integer NOT NULL, -- of its kind in the game
    PRIMARY KEY (stream, seq, place)
);
CREATE INDEX happened_by_subject ON happened (fact, subject, round);
CALL add_projection('happened', 'happened');

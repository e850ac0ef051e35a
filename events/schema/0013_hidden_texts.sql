-- Free texts that an administrator has hidden, by their hash: readers see a notice instead. Text, event and hash stay as
-- they are. A ruling's reason has one hash in the tournament and in its games, and is hidden in all of them.
CREATE TABLE hidden_texts (
    stream uuid NOT NULL,
    about text NOT NULL, -- what the text is: the title of a study, a comment ...
    number bigint NOT NULL, -- which one in the stream
    hash bytea NOT NULL, -- empty: what is written beside the moves of an imported game
    since bigint NOT NULL, -- microseconds since 1970
    PRIMARY KEY (stream, about, number, hash)
);
CREATE INDEX hidden_texts_by_hash ON hidden_texts (hash);
CREATE INDEX hidden_texts_by_age ON hidden_texts (since, stream);
GRANT SELECT, INSERT, DELETE ON hidden_texts TO cabildo_service;

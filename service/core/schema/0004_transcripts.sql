-- What a scribe wrote beside the moves of an over-the-table game: names, place and comments, which can be erased.
CREATE TABLE transcripts (
    id uuid PRIMARY KEY,
    headers text NOT NULL,
    below text[] NOT NULL -- comments after the last move
);

CREATE TABLE transcript_notes (
    id uuid NOT NULL,
    seq bigint NOT NULL,
    above text[] NOT NULL, -- comment lines and empty lines before the move
    beside text, -- the comment behind it
    PRIMARY KEY (id, seq)
);

GRANT SELECT, INSERT, UPDATE, DELETE ON transcripts, transcript_notes TO cabildo_service;

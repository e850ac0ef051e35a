-- What players and spectators say at a table or in a tournament. Beside the log: no event names a message.
CREATE TABLE talks (
    stream uuid PRIMARY KEY, -- the game or tournament
    newest bigint NOT NULL DEFAULT 0, -- the number of its last message
    changes bigint NOT NULL DEFAULT 0, -- how often messages were erased, hidden or shown, and rooms closed or opened
    closed text [] NOT NULL DEFAULT '{}' -- rooms
);
GRANT SELECT, INSERT, UPDATE, DELETE ON talks TO cabildo_service;

CREATE TABLE talk_messages (
    stream uuid NOT NULL,
    number bigint NOT NULL,
    room text NOT NULL, -- players, spectators, tournament
    version bigint NOT NULL, -- of the game as the writer saw it; does not decrease in a room
    player uuid NOT NULL REFERENCES players,
    account uuid NOT NULL, -- the owner of a bot, else the player
    at bigint NOT NULL,
    text text, -- null: erased by its writer
    key bytea, -- SHA-256 of the Idempotency-Key
    PRIMARY KEY (stream, number)
);
CREATE INDEX talk_messages_by_room ON talk_messages (stream, room, number);
CREATE INDEX talk_messages_by_account ON talk_messages (account, at);
CREATE UNIQUE INDEX talk_messages_once ON talk_messages (player, key) WHERE key IS NOT NULL;
GRANT SELECT, INSERT, UPDATE, DELETE ON talk_messages TO cabildo_service;

CREATE TABLE talk_readers (
    player uuid PRIMARY KEY REFERENCES players,
    covers boolean NOT NULL -- whether rough words are covered
);
GRANT SELECT, INSERT, UPDATE, DELETE ON talk_readers TO cabildo_service;

CREATE TABLE talk_mutes (
    player uuid NOT NULL REFERENCES players,
    about text NOT NULL, -- player, game, tournament
    muted uuid NOT NULL,
    PRIMARY KEY (player, about, muted)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON talk_mutes TO cabildo_service;

CREATE TABLE talk_read (
    player uuid NOT NULL REFERENCES players,
    stream uuid NOT NULL,
    number bigint NOT NULL, -- the last message that was read
    PRIMARY KEY (player, stream)
);
CREATE INDEX talk_read_by_stream ON talk_read (stream);
GRANT SELECT, INSERT, UPDATE, DELETE ON talk_read TO cabildo_service;

-- Players who may only read and finish what they are in, until a time. A block of a player holds for the player's bots.
CREATE TABLE blocks (
    player uuid PRIMARY KEY REFERENCES players,
    since bigint NOT NULL,
    until bigint NOT NULL,
    reason text NOT NULL, -- the player reads it
    by text NOT NULL -- the id of an administrator, or: operator
);
CREATE INDEX blocks_by_end ON blocks (until, player);
GRANT SELECT, INSERT, UPDATE, DELETE ON blocks TO cabildo_service;

-- Boards and records of each game at earlier events, one every few hundred: what came after is folded on top.
CREATE TABLE kept_boards (
    id uuid NOT NULL,
    version bigint NOT NULL,
    head bytea NOT NULL,
    record json NOT NULL,
    position json NOT NULL,
    PRIMARY KEY (id, version)
);

GRANT SELECT, INSERT, UPDATE ON kept_boards TO cabildo_service;

-- Days away that players declare: clocks of their slow games stand meanwhile. Rows of two years, one for each time away.
CREATE TABLE vacations (
    player uuid NOT NULL REFERENCES players,
    since bigint NOT NULL, -- microseconds
    until bigint NOT NULL CHECK (until >= since), -- the end, moved to the time at which the player came back
    due bigint, -- when the keeper brings the beginning or the end into the games; null: done
    PRIMARY KEY (player, since)
);
CREATE INDEX vacations_by_due ON vacations (due, player) WHERE due IS NOT NULL;
GRANT SELECT, INSERT, UPDATE, DELETE ON vacations TO cabildo_service;

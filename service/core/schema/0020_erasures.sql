-- Erased accounts that still have games and tournaments to leave; a row goes when nothing is left to do.
CREATE TABLE erasures (
    player uuid PRIMARY KEY REFERENCES players,
    begun bigint NOT NULL
);
GRANT SELECT, INSERT, DELETE ON erasures TO cabildo_service;

-- Names that nobody may take for a time after their players were erased, by the hash of the name.
CREATE TABLE reserved_names (
    hash bytea PRIMARY KEY,
    until bigint NOT NULL
);
GRANT SELECT, INSERT, UPDATE, DELETE ON reserved_names TO cabildo_service;

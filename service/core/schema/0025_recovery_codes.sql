-- Codes that set a new password, each once: of an account's own set, or one from the operator. Only hashes are stored.
CREATE TABLE recovery_codes (
    hash bytea PRIMARY KEY,
    player uuid NOT NULL REFERENCES players,
    created bigint NOT NULL,
    expires bigint -- null: valid until it is used
);
CREATE INDEX recovery_codes_by_player ON recovery_codes (player);
GRANT SELECT, INSERT, DELETE ON recovery_codes TO cabildo_service;

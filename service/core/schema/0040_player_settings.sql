-- What players set for themselves: how pages look, sound and ask, and what they are told of by which way. Only what differs from the usual is stored.
CREATE TABLE player_settings (
    player uuid PRIMARY KEY REFERENCES players,
    settings jsonb NOT NULL CHECK (jsonb_typeof(settings) = 'object' AND octet_length(settings::text) <= 4096),
    changed bigint NOT NULL
);
GRANT SELECT, INSERT, UPDATE, DELETE ON player_settings TO cabildo_service;

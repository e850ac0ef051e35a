-- The id of the master key of a sealed secret. Each sealed column has an index over it, so that the rotation of the
-- master key finds what is under another key, however many rows there are.
CREATE FUNCTION sealed_under(sealed bytea) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN CASE WHEN length(sealed) > 0 THEN encode(substring(sealed FROM 2 FOR get_byte(sealed, 0)), 'escape') ELSE '' END;

CREATE INDEX seeds_by_key ON seeds (sealed_under(sealed), id);
CREATE INDEX webhooks_by_key ON webhooks (sealed_under(secret), id);
CREATE INDEX second_factors_by_key ON second_factors (sealed_under(sealed), id);
GRANT UPDATE (sealed) ON seeds TO cabildo_service;

-- Since when secrets are encrypted under a master key; invitations of older tables may follow from the one before it.
CREATE TABLE master_keys (
    id text PRIMARY KEY, -- of the key, as ciphertexts carry it
    since bigint NOT NULL
);
GRANT SELECT, INSERT ON master_keys TO cabildo_service;

-- Second factors of logins. `sealed` is encrypted under the master key and bound to the id of its row.
CREATE TABLE second_factors (
    id uuid PRIMARY KEY,
    player uuid NOT NULL UNIQUE REFERENCES players,
    sealed bytea NOT NULL, -- the secret that the codes are made of
    created bigint NOT NULL,
    confirmed bigint, -- null: no code was given yet, and logins need none
    last_step bigint NOT NULL DEFAULT 0 -- of the last code that was used; no code of it or before it is valid
);
GRANT SELECT, INSERT, UPDATE, DELETE ON second_factors TO cabildo_service;
-- Logins whose password was right and whose code is still asked for. The hash of a ticket stands for the browser.
CREATE TABLE begun_logins (
    hash bytea PRIMARY KEY,
    player uuid NOT NULL REFERENCES players,
    password text NOT NULL, -- as it was stored: a new password voids the ticket
    created bigint NOT NULL,
    expires bigint NOT NULL
);
CREATE INDEX begun_logins_by_player ON begun_logins (player);
CREATE INDEX begun_logins_by_expiry ON begun_logins (expires);
GRANT SELECT, INSERT, DELETE ON begun_logins TO cabildo_service;

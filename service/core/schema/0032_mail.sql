-- E-mail addresses of accounts, and what waits to be sent. `sealed` is encrypted under the master key and bound to its row.
CREATE TABLE email_addresses (
    id uuid PRIMARY KEY,
    player uuid NOT NULL REFERENCES players,
    sealed bytea NOT NULL, -- the address
    looked_up bytea NOT NULL, -- a keyed hash of it, so that equal addresses are found
    language text NOT NULL, -- of mails to it
    created bigint NOT NULL,
    confirmed bigint, -- null: waits for its code
    code bytea, -- the hash of the code that confirms it
    expires bigint -- of the code
);
CREATE UNIQUE INDEX confirmed_email_addresses ON email_addresses (player) WHERE confirmed IS NOT NULL;
CREATE UNIQUE INDEX waiting_email_addresses ON email_addresses (player) WHERE confirmed IS NULL;
CREATE INDEX email_addresses_by_hash ON email_addresses (looked_up) WHERE confirmed IS NOT NULL;
GRANT SELECT, INSERT, UPDATE, DELETE ON email_addresses TO cabildo_service;

-- Keys that the service made itself.
CREATE TABLE made_keys (
    id uuid PRIMARY KEY,
    name text NOT NULL UNIQUE,
    sealed bytea NOT NULL
);
GRANT SELECT, INSERT, UPDATE ON made_keys TO cabildo_service;

-- Requests for recovery by mail, of known and unknown names alike, until the keeper looks the account up.
CREATE TABLE recovery_requests (
    id uuid PRIMARY KEY,
    sealed bytea NOT NULL, -- the name or address
    created bigint NOT NULL
);
CREATE INDEX recovery_requests_by_age ON recovery_requests (created);
GRANT SELECT, INSERT, UPDATE, DELETE ON recovery_requests TO cabildo_service;

-- Mails to be sent. A mail is removed when it was sent, refused for good, or too old.
CREATE TABLE outgoing_mails (
    id uuid PRIMARY KEY,
    player uuid NOT NULL REFERENCES players,
    kind text NOT NULL,
    sealed bytea NOT NULL, -- address, language and values of the text
    due bigint NOT NULL,
    expires bigint NOT NULL,
    attempts integer NOT NULL DEFAULT 0
);
CREATE INDEX outgoing_mails_by_due ON outgoing_mails (due);
CREATE INDEX outgoing_mails_by_player ON outgoing_mails (player);
GRANT SELECT, INSERT, UPDATE, DELETE ON outgoing_mails TO cabildo_service;

CREATE INDEX email_addresses_by_key ON email_addresses (sealed_under(sealed), id);
CREATE INDEX recovery_requests_by_key ON recovery_requests (sealed_under(sealed), id);
CREATE INDEX outgoing_mails_by_key ON outgoing_mails (sealed_under(sealed), id);
CREATE INDEX made_keys_by_key ON made_keys (sealed_under(sealed), id);

-- A webhook that was made with a token ends when the token expires.
ALTER TABLE webhooks ADD COLUMN expires bigint; -- null: it lasts

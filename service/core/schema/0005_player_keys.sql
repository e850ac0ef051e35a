-- The public key with which a player signs moves; the seats taken with it are named in events.
ALTER TABLE players ADD COLUMN key bytea CHECK (length(key) = 32);

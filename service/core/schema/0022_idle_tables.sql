-- Since when an open table waits for players; null: it does not, or its end is announced.
ALTER TABLE games ADD COLUMN idle_since bigint;
UPDATE games SET idle_since = changed WHERE status = 'open' AND deadline IS NULL AND tournament IS NULL;
CREATE INDEX games_idle ON games (idle_since, id) WHERE idle_since IS NOT NULL;

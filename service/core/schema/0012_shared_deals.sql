-- Which declared games share a deal, and which of these are still to be created: while one is, or is being played,
-- the tables of its deal are closed to others.
ALTER TABLE games_declared ADD COLUMN deal uuid;
ALTER TABLE games_declared ADD COLUMN awaited boolean NOT NULL DEFAULT false;
CREATE INDEX games_declared_by_deal ON games_declared (deal) WHERE deal IS NOT NULL;

UPDATE games_declared AS declared SET deal = (told.data ->> 'deal')::uuid
FROM (
    SELECT stream, convert_from(body, 'UTF8')::json -> 'data' AS data
    FROM events WHERE kind = 'games_declared' AND stream IN (SELECT id FROM games_declared)
) AS told
WHERE declared.id = told.stream AND told.data ->> 'deal' IS NOT NULL
    AND EXISTS (
        SELECT FROM json_array_elements(told.data -> 'games') AS one
        WHERE (one ->> 'game')::uuid = declared.game
    );

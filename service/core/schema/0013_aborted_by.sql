-- Who ended a game early after the deal: alone in its first round, or by the proposal to which all others agreed.
ALTER TABLE games ADD COLUMN aborted_by text;
CREATE INDEX games_by_who_aborted ON games (aborted_by) WHERE aborted_by IS NOT NULL;

UPDATE games AS game SET aborted_by = told.event ->> 'actor'
FROM (
    SELECT stream, convert_from(body, 'UTF8')::json AS event FROM events
    WHERE kind = 'game_aborted' AND stream IN (SELECT id FROM games WHERE result ->> 'cause' = 'early')
) AS told
WHERE game.id = told.stream;

UPDATE games AS game SET aborted_by = (
    SELECT chair ->> 'player' FROM json_array_elements(game.chairs) AS chair
    WHERE (chair ->> 'seat')::int = (told.event -> 'data' ->> 'seat')::int
)
FROM (
    SELECT DISTINCT ON (stream) stream, convert_from(body, 'UTF8')::json AS event FROM events
    WHERE kind = 'offer_made' AND stream IN (SELECT id FROM games WHERE result ->> 'cause' = 'agreement')
    ORDER BY stream, seq DESC
) AS told
WHERE game.id = told.stream;

-- What lists of somebody's games are read by, in their order: an account may have a hundred thousand games.
ALTER TABLE places
ADD COLUMN created bigint, -- of the game
ADD COLUMN hidden boolean, -- whether the game is not public
ADD COLUMN place smallint; -- in the result
UPDATE places SET
    created = games.created,
    hidden = games.visibility <> 'public',
    place = (
        SELECT (games.result -> 'places' ->> (sat ->> 'seat')::int)::smallint
        FROM json_array_elements(games.chairs) AS sat WHERE (sat ->> 'chair')::int = places.chair
    )
FROM games WHERE games.id = places.id;
ALTER TABLE places ALTER COLUMN created SET NOT NULL, ALTER COLUMN hidden SET NOT NULL;

CREATE INDEX places_listed ON places (player, created DESC, id DESC) WHERE NOT hidden;
CREATE INDEX places_hidden ON places (player, created DESC, id DESC) WHERE hidden;
CREATE INDEX places_by_result ON places (player, place, created DESC, id DESC) WHERE place IS NOT NULL;
CREATE INDEX games_hidden_by_host ON games (host, created DESC, id DESC) WHERE visibility <> 'public';

-- The seats of open tables that are kept for a player who has not taken them: what waits for somebody, in a row each.
CREATE TABLE kept_seats (
    id uuid NOT NULL, -- of the game
    chair smallint NOT NULL,
    player text NOT NULL,
    PRIMARY KEY (id, chair)
);
CREATE INDEX kept_seats_by_player ON kept_seats (player, id);
GRANT SELECT, INSERT, DELETE ON kept_seats TO cabildo_service;

INSERT INTO kept_seats (id, chair, player)
SELECT games.id, (chair ->> 'chair')::smallint, substr(chair ->> 'kept_for', 8)
FROM games, json_array_elements(chairs) AS chair
WHERE status = 'open' AND chair ->> 'kept_for' LIKE 'player:%' AND chair ->> 'player' IS NULL;

-- Whose games are not over: a player with many finished games waits for none of them. An index of the games by the
-- player to act would cost every move; this flag changes once, when a game ends.
ALTER TABLE places ADD COLUMN over boolean NOT NULL DEFAULT false;
UPDATE places SET over = true FROM games WHERE games.id = places.id AND status NOT IN ('open', 'running');
CREATE INDEX places_at_work ON places (player, id) WHERE NOT over;

-- Public games in the order of lists, without reading the others.
CREATE INDEX games_listed ON games (status, created DESC, id DESC) WHERE visibility = 'public';

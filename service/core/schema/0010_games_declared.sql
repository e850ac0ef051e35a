-- Every game that a tournament declared, and whether the tournament knows how it ended: the seeds of games are put away
-- with their declaration, before the games are there.
ALTER TABLE tables_watched RENAME TO games_declared;
ALTER TABLE games_declared ADD COLUMN settled boolean NOT NULL DEFAULT false;
DROP INDEX tables_watched_by_game;
CREATE INDEX games_declared_by_game ON games_declared (game);
CREATE INDEX games_declared_open ON games_declared (game) WHERE NOT settled;

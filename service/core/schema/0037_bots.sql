-- What the owner of a bot says of it, and webhooks that follow one game.
ALTER TABLE players ADD COLUMN manifest jsonb; -- of a bot: author, source, budget, hardware
ALTER TABLE webhooks ADD COLUMN game uuid; -- followed; null: a tournament, or the player's own news

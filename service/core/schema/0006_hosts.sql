-- How many games somebody hosted, and aborted, is looked up on their page.
CREATE INDEX games_by_host ON games (host) WHERE host IS NOT NULL;

-- When the next pause or days away of a running game end by themselves, microseconds: the keeper then records it.
ALTER TABLE games ADD COLUMN clock_ends bigint;
CREATE INDEX games_by_clock_end ON games (clock_ends) WHERE clock_ends IS NOT NULL;

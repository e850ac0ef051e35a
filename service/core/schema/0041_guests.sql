-- Guests: accounts made with one click, which end when they are not used. People at the screen of a player are rows with
-- an owner that are no bots: they have a name at the table alone, and nobody can log in to them.
ALTER TABLE players ADD COLUMN guest boolean NOT NULL DEFAULT false;
CREATE INDEX guests ON players (id) WHERE guest;

-- What a name looks like (UTS #39), so that no other player takes one that can be mistaken for it. Not unique: names
-- from before this rule keep working. Null: not yet computed, or no name.
ALTER TABLE players ADD COLUMN looks text[];
CREATE INDEX players_by_looks ON players USING gin (looks);
CREATE INDEX players_without_looks ON players (id) WHERE looks IS NULL AND name IS NOT NULL;

-- A name that is changed or erased, by whichever version of the program, leaves nothing of its look behind.
CREATE FUNCTION forget_looks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.looks := NULL;
    RETURN NEW;
END
$$;
CREATE TRIGGER forget_looks BEFORE UPDATE OF name ON players
    FOR EACH ROW WHEN (NEW.name IS DISTINCT FROM OLD.name) EXECUTE FUNCTION forget_looks();

-- The leaf of the newest entry that a projection has applied: after a failover or a restore, another may stand there.
ALTER TABLE projections ADD COLUMN head bytea;

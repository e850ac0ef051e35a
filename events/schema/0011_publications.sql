-- How far the log was published into each store, as far as this database knows. After a restore or a promotion a keeper
-- compares its own files with this: files that know less, or another keeper's publications, are a reason to ask first.
CREATE TABLE publications (
    origin text NOT NULL REFERENCES origins (origin),
    store text NOT NULL,
    size bigint NOT NULL CHECK (size >= 0),
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (origin, store)
);
GRANT SELECT, INSERT, UPDATE ON publications TO cabildo_service;

-- Statements of branches: which published events are lost, and under which name the log goes on. The keeper signs and
-- publishes the statement of the newest name.
CREATE TABLE branches (
    origin text PRIMARY KEY REFERENCES origins (origin),
    statement text NOT NULL,
    at timestamptz NOT NULL DEFAULT now()
);
CALL guard('branches');
GRANT SELECT, INSERT ON branches TO cabildo_service;

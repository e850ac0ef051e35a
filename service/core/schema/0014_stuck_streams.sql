-- Streams that a duty of the keeper could not handle, and when it tries again; a row goes once the duty succeeds.
CREATE TABLE stuck_streams (
    duty text NOT NULL,
    stream uuid NOT NULL,
    since bigint NOT NULL, -- the first failure in a row, microseconds
    failures integer NOT NULL,
    due bigint NOT NULL, -- the next try
    reason text NOT NULL, -- of the last failure
    PRIMARY KEY (duty, stream)
);
CREATE INDEX stuck_streams_by_due ON stuck_streams (duty, due);

GRANT SELECT, INSERT, UPDATE, DELETE ON stuck_streams TO cabildo_service;

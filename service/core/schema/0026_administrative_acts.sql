-- What administrators and operators did: added, never changed. Each row is bound to the one before it by its hash.
CREATE TABLE administrative_acts (
    number bigint PRIMARY KEY CHECK (number > 0),
    act text NOT NULL,
    subject text, -- the id of what it was done to
    body bytea NOT NULL, -- canonical JSON; the columns before can be read out of it
    hash bytea NOT NULL -- SHA-256 of the hash before, the number (8 bytes) and the body
);
CREATE INDEX administrative_acts_by_subject ON administrative_acts (subject, number);
CALL guard('administrative_acts');
GRANT SELECT ON administrative_acts TO cabildo_service;

-- Adds an act under the next number. The owner's rights do it; the service cannot choose number or hash.
CREATE FUNCTION record_administrative_act(new_body bytea) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    newest administrative_acts;
    document jsonb := convert_from(new_body, 'UTF8')::jsonb;
    place bigint;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('cabildo.administrative_acts', 0));
    SELECT * INTO newest FROM administrative_acts ORDER BY number DESC LIMIT 1;
    place := coalesce(newest.number, 0) + 1;
    INSERT INTO administrative_acts (number, act, subject, body, hash) VALUES (
        place, document ->> 'act', document ->> 'subject', new_body,
        sha256(coalesce(newest.hash, '') || int8send(place) || new_body)
    );
    RETURN place;
END $$;
REVOKE EXECUTE ON FUNCTION record_administrative_act(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION record_administrative_act(bytea) TO cabildo_service;

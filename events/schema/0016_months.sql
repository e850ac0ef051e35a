-- Events are partitioned by time: ids of streams are UUIDs of version 7, which begin with their milliseconds, so that a
-- range of streams is a month. What was written before stays where it is, as the partition below the first month; ids of
-- no clock, or of one that was ahead, are in the default partition.
SELECT set_config('cabildo.altering_acts', 'on', true);

-- Guards a table and all its partitions, those of partitions too; may be called again for new ones.
CREATE OR REPLACE PROCEDURE guard(guarded regclass) LANGUAGE plpgsql AS $$
DECLARE
    place regclass;
BEGIN
    PERFORM set_config('cabildo.altering_acts', 'on', true);
    IF NOT EXISTS (SELECT FROM pg_trigger WHERE tgrelid = guarded AND tgname = 'no_change') THEN
        EXECUTE format(
            'CREATE TRIGGER no_change BEFORE UPDATE OR DELETE ON %s FOR EACH ROW EXECUTE FUNCTION refuse_change()',
            guarded
        );
    END IF;
    FOR place IN SELECT guarded UNION SELECT relid FROM pg_partition_tree(guarded) LOOP
        IF NOT EXISTS (SELECT FROM pg_trigger WHERE tgrelid = place AND tgname = 'no_truncate') THEN
            EXECUTE format(
                'CREATE TRIGGER no_truncate BEFORE TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()',
                place
            );
        END IF;
        EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER no_change', place);
        EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER no_truncate', place);
    END LOOP;
    PERFORM set_config('cabildo.altering_acts', '', true);
END $$;

-- The lowest id of a stream that begins in a month.
CREATE FUNCTION first_stream(month date) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
    SELECT (lpad(to_hex((extract(epoch FROM month) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;

-- Makes the partitions of this month and of so many months ahead; returns how many it made. A month of which the default
-- partition holds events already stays there. The owner's rights do it, for the keeper.
CREATE FUNCTION make_months(ahead integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '2s' AS $$
DECLARE
    this_month date := date_trunc('month', now() AT TIME ZONE 'UTC');
    month date;
    name text;
    made integer := 0;
BEGIN
    IF NOT pg_try_advisory_xact_lock(hashtextextended('cabildo.months', 0)) THEN
        RETURN 0;
    END IF;
    FOR number IN 0..least(ahead, 24) LOOP
        month := this_month + make_interval(months => number);
        name := to_char(month, '"events_"YYYY_MM');
        CONTINUE WHEN to_regclass(name) IS NOT NULL
            OR first_stream(month) < (
                SELECT substring(pg_get_expr(relpartbound, oid) FROM $x$TO \('(.*)'\)$x$)::uuid
                FROM pg_class WHERE oid = to_regclass('events_before')
            )
            OR EXISTS (
                SELECT FROM events_default
                WHERE stream >= first_stream(month) AND stream < first_stream((month + interval '1 month')::date)
            );
        PERFORM set_config('cabildo.altering_acts', 'on', true);
        EXECUTE format('CREATE TABLE %I (LIKE events INCLUDING ALL)', name);
        EXECUTE format(
            'ALTER TABLE events ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
            name, first_stream(month), first_stream((month + interval '1 month')::date)
        );
        CALL guard(name::regclass);
        made := made + 1;
    END LOOP;
    RETURN made;
END $$;
REVOKE EXECUTE ON FUNCTION make_months(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION make_months(integer) TO cabildo_service;

ALTER TABLE events RENAME TO events_before;
ALTER INDEX events_pkey RENAME TO events_before_pkey;
DROP TRIGGER no_change ON events_before;

CREATE TABLE events (
    stream uuid NOT NULL,
    seq bigint NOT NULL CONSTRAINT events_seq_check CHECK (seq > 0),
    kind text NOT NULL,
    at bigint NOT NULL, -- microseconds since 1970
    hash bytea NOT NULL,
    body bytea NOT NULL,
    PRIMARY KEY (stream, seq)
) PARTITION BY RANGE (stream);
CREATE TABLE events_default PARTITION OF events DEFAULT;

DO $$
DECLARE
    this_month date := date_trunc('month', now() AT TIME ZONE 'UTC');
    next_month date := this_month + interval '1 month';
    bound uuid := first_stream(this_month);
BEGIN
    IF EXISTS (SELECT FROM events_before WHERE stream >= bound AND stream < first_stream(next_month)) THEN
        bound := first_stream(next_month);
    END IF;
    WITH moved AS (
        DELETE FROM events_before WHERE stream >= bound RETURNING *
    )
    INSERT INTO events SELECT * FROM moved;
    IF NOT EXISTS (SELECT FROM events_before) THEN -- a new database needs no partitions by hash
        DROP TABLE events_before CASCADE;
        CREATE TABLE events_before (LIKE events INCLUDING ALL);
    END IF;
    EXECUTE format('ALTER TABLE events ATTACH PARTITION events_before FOR VALUES FROM (MINVALUE) TO (%L)', bound);
END $$;

DROP VIEW IF EXISTS event_documents;
CREATE VIEW event_documents AS
    SELECT stream, seq, kind, to_timestamp(at / 1e6) AS at, convert_from(body, 'UTF8')::jsonb AS document FROM events;

REVOKE ALL ON events_before FROM cabildo_service;
GRANT SELECT ON event_documents TO cabildo_service;
GRANT SELECT, INSERT ON events TO cabildo_service;
CALL guard('events');
SELECT make_months(3);

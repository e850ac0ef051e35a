-- The tables of shared deals that are still played are looked up as a whole, not for each game of a list.
CREATE INDEX games_of_tournaments_at_work ON games (id) WHERE tournament IS NOT NULL AND status IN ('open', 'running');
CREATE INDEX games_declared_awaited ON games_declared (deal) WHERE awaited AND deal IS NOT NULL;

-- Single rows of tables that `cabildo distribute` spreads over several servers, for statements about tables that stay on the
-- coordinator: it takes no correlated subqueries of the one in the other.
CREATE FUNCTION text_of(of_stream uuid, of_hash bytea) RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT text FROM texts WHERE stream = of_stream AND hash = of_hash);
END $$;

CREATE FUNCTION kind_of_event(of_stream uuid, of_seq bigint) RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT kind FROM events WHERE stream = of_stream AND seq = of_seq);
END $$;

CREATE FUNCTION time_of_event(of_stream uuid, of_seq bigint) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT at FROM events WHERE stream = of_stream AND seq = of_seq);
END $$;

-- The switch for a table that lies on several servers: there, to give tables another schema locks out the readers of one
-- server after the other, and ends in a deadlock. So its rows are replaced.
CREATE OR REPLACE FUNCTION switch_to_shadow(of_projection text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    place text;
    is_spread boolean;
BEGIN
    FOR place IN SELECT name FROM projection_tables WHERE projection = of_projection LOOP
        is_spread := false;
        IF to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL THEN
            EXECUTE 'SELECT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = to_regclass($1))'
                INTO is_spread USING 'public.' || quote_ident(place);
        END IF;
        IF is_spread THEN
            EXECUTE format('DELETE FROM public.%I', place);
            EXECUTE format('INSERT INTO public.%1$I SELECT * FROM shadow.%1$I', place);
            EXECUTE format('DROP TABLE shadow.%I', place);
        ELSE
            EXECUTE format('DROP TABLE IF EXISTS retired.%I', place);
            EXECUTE format('ALTER TABLE public.%I SET SCHEMA retired', place);
            EXECUTE format('ALTER TABLE shadow.%I SET SCHEMA public', place);
        END IF;
    END LOOP;
END $$;

-- The same as before, with what the default partition holds counted: a cluster takes no bare EXISTS.
CREATE OR REPLACE FUNCTION make_months(ahead integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '2s' AS $$
DECLARE
    this_month date := date_trunc('month', now() AT TIME ZONE 'UTC');
    month date;
    name text;
    strays bigint;
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
            );
        SELECT count(*) INTO strays FROM (
            SELECT seq FROM events_default
            WHERE stream >= first_stream(month) AND stream < first_stream((month + interval '1 month')::date) LIMIT 1
        ) AS first;
        CONTINUE WHEN strays > 0;
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

-- The same as before; a trigger that always fires is left alone: shards of a partition name theirs after another shard.
CREATE OR REPLACE PROCEDURE guard(guarded regclass) LANGUAGE plpgsql AS $$
DECLARE
    place regclass;
    trigger text;
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
        FOREACH trigger IN ARRAY ARRAY['no_change', 'no_truncate'] LOOP
            IF NOT EXISTS (
                SELECT FROM pg_trigger WHERE tgrelid = place AND tgname = trigger AND tgenabled = 'A'
            ) THEN
                EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER %I', place, trigger);
            END IF;
        END LOOP;
    END LOOP;
    PERFORM set_config('cabildo.altering_acts', '', true);
END $$;

-- The same as before, in a condition for each kind of table.
CREATE OR REPLACE FUNCTION adopt(new_idx bigint, new_stream uuid, new_seq bigint, new_hash bytea) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('cabildo.sequencer', 0));
    IF gate_is_open() THEN
        RAISE EXCEPTION 'the log is open: nothing is adopted' USING ERRCODE = 'CAB03';
    END IF;
    PERFORM seq FROM events WHERE stream = new_stream AND seq = new_seq AND hash = new_hash;
    IF NOT FOUND OR new_idx <> (SELECT coalesce(max(idx) + 1, 0) FROM log) THEN
        RAISE EXCEPTION 'event % of % is not next in the log', new_seq, new_stream USING ERRCODE = 'CAB03';
    END IF;
    DELETE FROM outbox WHERE stream = new_stream AND seq = new_seq;
    INSERT INTO log (idx, stream, seq, hash, leaf) VALUES (
        new_idx, new_stream, new_seq, new_hash,
        sha256('\x00'::bytea || '\x01'::bytea || uuid_send(new_stream) || int8send(new_seq) || new_hash)
    );
END $$;

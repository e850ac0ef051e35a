-- Acts are added, never changed. These triggers also hold for the owner and for a superuser in replica mode.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only: % refused', tg_table_name, tg_op USING ERRCODE = 'CAB02';
END $$;

CREATE PROCEDURE guard(guarded regclass) LANGUAGE plpgsql AS $$
DECLARE
    place regclass;
BEGIN
    PERFORM set_config('cabildo.altering_acts', 'on', true);
    EXECUTE format(
        'CREATE TRIGGER no_change BEFORE UPDATE OR DELETE ON %s FOR EACH ROW EXECUTE FUNCTION refuse_change()', guarded
    );
    FOR place IN SELECT guarded UNION SELECT inhrelid FROM pg_inherits WHERE inhparent = guarded LOOP
        EXECUTE format(
            'CREATE TRIGGER no_truncate BEFORE TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()', place
        );
        EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER no_change', place);
        EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER no_truncate', place);
    END LOOP;
    PERFORM set_config('cabildo.altering_acts', '', true);
END $$;

CALL guard('events');
CALL guard('log');

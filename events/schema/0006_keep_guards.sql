-- runs as superuser
-- Nobody drops, detaches or alters a guarded table, its triggers or their function by accident.
-- A migration that means to says so: SET LOCAL cabildo.altering_acts = 'on'.
-- Their functions live apart, so that they outlive the dropping of the schema they watch.
CREATE SCHEMA guards;
GRANT USAGE ON SCHEMA guards TO PUBLIC;

CREATE FUNCTION guards.refuse_drop() RETURNS event_trigger LANGUAGE plpgsql AS $$
BEGIN
    IF coalesce(current_setting('cabildo.altering_acts', true), '') <> 'on' AND EXISTS (
        SELECT FROM pg_event_trigger_dropped_objects()
        WHERE (object_type = 'trigger' AND address_names[3] IN ('no_change', 'no_truncate'))
        OR (object_type = 'event trigger' AND object_identity LIKE 'keep_acts_%')
    ) THEN
        RAISE EXCEPTION 'acts are kept: % refused', tg_tag USING ERRCODE = 'CAB02';
    END IF;
END $$;

CREATE FUNCTION guards.refuse_alter() RETURNS event_trigger LANGUAGE plpgsql AS $$
BEGIN
    IF coalesce(current_setting('cabildo.altering_acts', true), '') <> 'on' AND EXISTS (
        SELECT FROM pg_event_trigger_ddl_commands() AS done
        WHERE (
            done.classid = 'pg_proc'::regclass
            AND done.objid IN (
                'public.refuse_change'::regproc, 'guards.refuse_drop'::regproc, 'guards.refuse_alter'::regproc
            )
        ) OR EXISTS (
            SELECT FROM pg_trigger
            WHERE tgfoid = 'public.refuse_change'::regproc AND tgrelid = CASE done.classid
                WHEN 'pg_class'::regclass THEN done.objid
                WHEN 'pg_trigger'::regclass THEN (SELECT t.tgrelid FROM pg_trigger AS t WHERE t.oid = done.objid)
                WHEN 'pg_rewrite'::regclass THEN (SELECT ev_class FROM pg_rewrite WHERE oid = done.objid)
            END
        )
    ) THEN
        RAISE EXCEPTION 'acts are kept: % refused', tg_tag USING ERRCODE = 'CAB02';
    END IF;
END $$;

CREATE EVENT TRIGGER keep_acts_from_drop ON sql_drop EXECUTE FUNCTION guards.refuse_drop();
CREATE EVENT TRIGGER keep_acts_from_alter ON ddl_command_end EXECUTE FUNCTION guards.refuse_alter();
ALTER EVENT TRIGGER keep_acts_from_drop ENABLE ALWAYS;
ALTER EVENT TRIGGER keep_acts_from_alter ENABLE ALWAYS;

"""Event triggers for the workers of a Citus cluster: shards of events are not dropped or altered by accident.

The coordinator's own do not reach there. What the coordinator itself sends passes, such as the move of a shard: its
connections bear names of their own.
"""

from typing import Final

IS_GUARDED: Final = "SELECT count(*) FROM pg_event_trigger WHERE evtname LIKE 'keep_acts_%' AND evtenabled = 'A'"
EVENT_TRIGGERS: Final = 2
INSTALL: Final = """
DO $do$
BEGIN
    SET LOCAL citus.enable_ddl_propagation = off;
    CREATE SCHEMA IF NOT EXISTS guards;
    GRANT USAGE ON SCHEMA guards TO PUBLIC;
    CREATE OR REPLACE FUNCTION guards.is_meant() RETURNS boolean LANGUAGE sql STABLE AS $is$
        SELECT coalesce(current_setting('cabildo.altering_acts', true), '') = 'on'
            OR current_setting('application_name') LIKE 'citus\\_%'
    $is$;
    CREATE OR REPLACE FUNCTION guards.refuse_drop() RETURNS event_trigger LANGUAGE plpgsql AS $is$
    BEGIN
        IF NOT guards.is_meant() AND EXISTS (
            SELECT FROM pg_event_trigger_dropped_objects()
            WHERE (object_type = 'trigger' AND address_names[3] ~ '^no_(change|truncate)')
            OR (object_type = 'event trigger' AND object_identity LIKE 'keep_acts_%')
        ) THEN
            RAISE EXCEPTION 'acts are kept: % refused', tg_tag USING ERRCODE = 'CAB02';
        END IF;
    END $is$;
    CREATE OR REPLACE FUNCTION guards.refuse_alter() RETURNS event_trigger LANGUAGE plpgsql AS $is$
    BEGIN
        IF NOT guards.is_meant() AND EXISTS (
            SELECT FROM pg_event_trigger_ddl_commands() AS done JOIN pg_trigger
            ON (done.classid = 'pg_class'::regclass AND done.objid = tgrelid)
                OR (done.classid = 'pg_trigger'::regclass AND done.objid = pg_trigger.oid)
                OR (done.classid = 'pg_proc'::regclass AND done.objid = tgfoid)
            WHERE tgfoid = to_regproc('public.refuse_change')
        ) THEN
            RAISE EXCEPTION 'acts are kept: % refused', tg_tag USING ERRCODE = 'CAB02';
        END IF;
    END $is$;
    DROP EVENT TRIGGER IF EXISTS keep_acts_from_drop;
    DROP EVENT TRIGGER IF EXISTS keep_acts_from_alter;
    CREATE EVENT TRIGGER keep_acts_from_drop ON sql_drop EXECUTE FUNCTION guards.refuse_drop();
    CREATE EVENT TRIGGER keep_acts_from_alter ON ddl_command_end EXECUTE FUNCTION guards.refuse_alter();
    ALTER EVENT TRIGGER keep_acts_from_drop ENABLE ALWAYS;
    ALTER EVENT TRIGGER keep_acts_from_alter ENABLE ALWAYS;
END $do$
"""
# Types of triggers: BEFORE UPDATE OR DELETE FOR EACH ROW is 27, BEFORE TRUNCATE FOR EACH STATEMENT is 34.
ALWAYS_FIRES: Final = """
SELECT count(*) FROM pg_trigger
WHERE tgrelid = '%s'::regclass AND tgtype = {type} AND tgenabled = 'A' AND tgfoid = 'public.refuse_change'::regproc
"""
CHANGES, TRUNCATIONS = 27, 34
GUARD_SHARD: Final = """
DO $do$
BEGIN
    SET LOCAL citus.enable_ddl_propagation = off;
    SET LOCAL citus.enable_manual_changes_to_shards = on;
    SET LOCAL cabildo.altering_acts = 'on';
    IF NOT EXISTS (SELECT FROM pg_trigger WHERE tgrelid = '%1$s'::regclass AND tgtype = 34) THEN
        CREATE TRIGGER no_truncate BEFORE TRUNCATE ON %1$s FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();
        ALTER TABLE %1$s ENABLE ALWAYS TRIGGER no_truncate;
    END IF;
END $do$
"""

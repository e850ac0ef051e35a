-- runs as superuser
-- Two roles for the whole server: one owns the tables and never logs in, one serves and may only add.
DO $$
DECLARE
    new_role text;
BEGIN
    FOREACH new_role IN ARRAY ARRAY['cabildo_owner NOLOGIN', 'cabildo_service LOGIN'] LOOP
        BEGIN
            EXECUTE 'CREATE ROLE ' || new_role;
        EXCEPTION WHEN duplicate_object OR unique_violation THEN
            NULL;  -- another database of this server made it, perhaps at this moment
        END;
    END LOOP;
END $$;

GRANT USAGE, CREATE ON SCHEMA public TO cabildo_owner;
GRANT USAGE ON SCHEMA public TO cabildo_service;

-- runs as superuser
-- Commits that wait for a synchronous standby. Only its owner sees what others wait for, through this function alone;
-- null where the server does not let an administrator grant that.
DO $$
BEGIN
    IF NOT pg_has_role('cabildo_owner', 'pg_read_all_stats', 'USAGE') THEN
        GRANT pg_read_all_stats TO cabildo_owner;
    END IF;
EXCEPTION WHEN insufficient_privilege OR internal_error THEN
    NULL;  -- a managed server may refuse; another database of this server may grant it at this moment
END $$;

CREATE FUNCTION hanging_commits(OUT waiting bigint, OUT seconds double precision)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT
        CASE WHEN pg_has_role('pg_read_all_stats', 'USAGE') THEN count(*) END,
        coalesce(max(extract(epoch FROM clock_timestamp() - state_change)), 0)
    FROM pg_stat_activity WHERE wait_event = 'SyncRep'
$$;
ALTER FUNCTION hanging_commits() OWNER TO cabildo_owner;
REVOKE EXECUTE ON FUNCTION hanging_commits() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hanging_commits() TO cabildo_service;

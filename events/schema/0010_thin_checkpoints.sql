-- Old checkpoints are thinned out: one an hour stays, and every one that a bundle or a witness names. The guard lets
-- them go in the one function that knows these rules; the service has no right to delete otherwise.
SELECT set_config('cabildo.altering_acts', 'on', true);
CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF tg_op = 'DELETE' AND tg_table_name = 'checkpoints'
        AND coalesce(current_setting('cabildo.thinning', true), '') = 'on'
    THEN
        RETURN old;
    END IF;
    RAISE EXCEPTION '% is append-only: % refused', tg_table_name, tg_op USING ERRCODE = 'CAB02';
END $$;
SELECT set_config('cabildo.altering_acts', '', true);

-- Looks at some checkpoints above a size, and removes those that are needed no more. Returns the last size it looked at
-- (null: there is none left) and how many it removed. Only checkpoints older than a day, and smaller than `below`, the
-- size that was public before, are looked at: no event that is still being written names one of them.
CREATE FUNCTION thin_checkpoints(
    log_name text, below bigint, above bigint, most integer, OUT examined bigint, OUT removed bigint
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM set_config('cabildo.thinning', 'on', true);
    WITH looked_at AS (
        SELECT size, at FROM checkpoints
        WHERE origin = log_name AND size >= coalesce(
            (SELECT max(c.size) FROM checkpoints AS c WHERE c.origin = log_name AND c.size <= above), 0
        )
        ORDER BY size LIMIT most + 2
    ), neighbours AS (
        SELECT
            size,
            at,
            lag(size) OVER (ORDER BY size) AS before,
            lead(at) OVER (ORDER BY size) AS next_at
        FROM looked_at
    ), old AS (
        SELECT * FROM neighbours
        WHERE before IS NOT NULL AND next_at IS NOT NULL AND size < below AND at < now() - interval '1 day'
    ), told AS ( -- events that name a tree, and those that others wait for to be sealed
        SELECT log.idx, events.kind, convert_from(events.body, 'UTF8')::json #>> '{data,after,size}' AS names
        FROM log JOIN events USING (stream, seq)
        WHERE log.idx >= (SELECT min(before) FROM old) AND events.kind IN (
            'game_started', 'flag_fell', 'ruled',
            'commitments_closed', 'game_ended', 'game_aborted', 'seed_revealed', 'round_closed', 'tournament_closed'
        )
    ), named AS (
        SELECT DISTINCT names::bigint AS size FROM told WHERE names IS NOT NULL
    ), gone AS (
        DELETE FROM checkpoints USING old
        WHERE checkpoints.origin = log_name AND checkpoints.size = old.size
            AND date_trunc('hour', old.next_at AT TIME ZONE 'UTC') = date_trunc('hour', old.at AT TIME ZONE 'UTC')
            AND NOT EXISTS (SELECT FROM cosignatures AS c WHERE c.origin = log_name AND c.size = old.size)
            AND NOT EXISTS (SELECT FROM named WHERE named.size = old.size)
            AND NOT EXISTS (
                SELECT FROM told
                WHERE told.idx >= old.before AND told.idx < old.size
                    AND told.kind NOT IN ('game_started', 'flag_fell', 'ruled')
            )
        RETURNING checkpoints.size
    )
    SELECT (SELECT max(size) FROM old), (SELECT count(*) FROM gone) INTO examined, removed;
    PERFORM set_config('cabildo.thinning', '', true);
END $$;
REVOKE EXECUTE ON FUNCTION thin_checkpoints(text, bigint, bigint, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION thin_checkpoints(text, bigint, bigint, integer) TO cabildo_service;

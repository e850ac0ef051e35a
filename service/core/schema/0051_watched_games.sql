-- The share of a game's seats that people play themselves, in percent: the page of running games finds the newest of those
-- with most people. No move changes what this index holds, so that a move rewrites none of the row's indexes for it.
CREATE FUNCTION people_share(chairs json) RETURNS smallint
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
    RETURN (
        SELECT 100 * count(*) FILTER (
            WHERE chair ->> 'player' IS NOT NULL AND chair ->> 'bot' IS NULL AND chair ->> 'stand_in' IS NULL
                AND NOT coalesce((chair ->> 'program')::bool, false)
        ) / greatest(count(*), 1) FROM json_array_elements(chairs) AS chair
    );
END $$;
CREATE INDEX games_to_watch ON games (people_share(chairs), created DESC) WHERE status = 'running' AND visibility = 'public';

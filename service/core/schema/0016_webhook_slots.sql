-- When a webhook is tried next, and how it stands, is kept once for the webhook and not on each message that waits.
ALTER TABLE webhooks
ADD COLUMN due bigint, -- next attempt, microseconds; null: nothing waits
ADD COLUMN attempts integer NOT NULL DEFAULT 0, -- failed since the last arrival
ADD COLUMN failing bigint, -- time of the first of them
ADD COLUMN waiting integer NOT NULL DEFAULT 0, -- rows in deliveries
ADD COLUMN dropped bigint NOT NULL DEFAULT 0, -- messages that were given up
ADD COLUMN off bigint, -- time at which the service switched the webhook off; null: on
ADD COLUMN off_because text;

UPDATE webhooks SET
    due = queue.due,
    attempts = queue.attempts,
    failing = CASE WHEN queue.attempts > 0 THEN coalesce(failed, queue.due) END,
    waiting = queue.waiting
FROM (
    SELECT hook, min(due) AS due, count(*) AS waiting, (array_agg(attempts ORDER BY number))[1] AS attempts
    FROM deliveries GROUP BY hook
) AS queue
WHERE id = queue.hook;

DROP INDEX deliveries_by_due;
ALTER TABLE deliveries DROP COLUMN due, DROP COLUMN attempts;
CREATE INDEX webhooks_by_due ON webhooks (due) WHERE due IS NOT NULL;

-- One call at a time for each owner, over all processes that send.
CREATE TABLE webhook_slots (
    player uuid PRIMARY KEY REFERENCES players,
    hook uuid NOT NULL,
    holder uuid NOT NULL, -- of this claim
    until bigint NOT NULL, -- then another process may claim it: the holder is dead
    slow boolean NOT NULL -- the receiver answered late
);

GRANT SELECT, INSERT, UPDATE, DELETE ON webhook_slots TO cabildo_service;

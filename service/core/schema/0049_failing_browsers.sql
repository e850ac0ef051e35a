-- How often a browser took no message since it last took one, and since when: after long it is dropped.
ALTER TABLE push_subscriptions ADD COLUMN failures integer NOT NULL DEFAULT 0;
ALTER TABLE push_subscriptions ADD COLUMN failing_since bigint;

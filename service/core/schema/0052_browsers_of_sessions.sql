-- A browser takes notices as long as its session stands: whoever logs out of a shared machine is not told of there.
-- Those from before keep none, and stay until they are turned off.
ALTER TABLE push_subscriptions ADD COLUMN session uuid REFERENCES sessions (id) ON DELETE CASCADE;
CREATE INDEX push_subscriptions_by_session ON push_subscriptions (session);

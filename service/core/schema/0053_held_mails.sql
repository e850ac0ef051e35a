-- Mails of notices are bounded for each account: what is above waits, and is told in the next one.
ALTER TABLE notices ADD COLUMN mail bigint; -- when a mail may tell of it; null: none waits
CREATE INDEX notices_by_mail ON notices (mail) WHERE mail IS NOT NULL;
ALTER TABLE player_settings ADD COLUMN mailed bigint[] NOT NULL DEFAULT '{}'; -- when the last mails of notices were queued

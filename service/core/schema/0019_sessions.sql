-- Sessions are listed and ended one by one, and streams know them by an id; changes of rights ask when the password was
-- last given.
ALTER TABLE sessions
ADD COLUMN id uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE,
ADD COLUMN used bigint, -- last request, to the minute
ADD COLUMN confirmed bigint NOT NULL DEFAULT 0, -- time at which the password was given
ADD COLUMN agent text NOT NULL DEFAULT '', -- browser and system, coarse
ADD COLUMN address text NOT NULL DEFAULT ''; -- network of the address at the login

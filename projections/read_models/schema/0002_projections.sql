-- Where each projection stands: the live one, and at most one that is being built in the shadow.
CREATE TABLE projections (
    name text NOT NULL,
    shadow boolean NOT NULL,
    version integer NOT NULL,
    next_idx bigint NOT NULL DEFAULT 0,
    lease uuid NOT NULL DEFAULT gen_random_uuid(), -- whose build it is; another build takes it away
    seen timestamptz NOT NULL DEFAULT now(), -- the last time somebody looked after it
    poison text, -- why it stopped at next_idx; null while it runs
    PRIMARY KEY (name, shadow)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON projections TO cabildo_service;

-- Which tables a projection writes. They refer to no other table, and no view refers to them.
CREATE TABLE projection_tables (
    projection text NOT NULL,
    name text NOT NULL UNIQUE,
    PRIMARY KEY (projection, name)
);
GRANT SELECT ON projection_tables TO cabildo_service;

CREATE PROCEDURE add_projection(projection text, VARIADIC names text[]) LANGUAGE plpgsql AS $$
DECLARE
    place text;
BEGIN
    FOREACH place IN ARRAY names LOOP
        INSERT INTO projection_tables VALUES (projection, place);
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON public.%I TO cabildo_service', place);
    END LOOP;
END $$;

CREATE FUNCTION begin_shadow(of_projection text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    place text;
BEGIN
    FOR place IN SELECT name FROM projection_tables WHERE projection = of_projection LOOP
        EXECUTE format('DROP TABLE IF EXISTS shadow.%I', place);
        EXECUTE format('CREATE TABLE shadow.%I (LIKE public.%I INCLUDING ALL)', place, place);
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON shadow.%I TO cabildo_service', place);
    END LOOP;
END $$;

CREATE FUNCTION switch_to_shadow(of_projection text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    place text;
BEGIN
    FOR place IN SELECT name FROM projection_tables WHERE projection = of_projection LOOP
        EXECUTE format('DROP TABLE IF EXISTS retired.%I', place);
        EXECUTE format('ALTER TABLE public.%I SET SCHEMA retired', place);
        EXECUTE format('ALTER TABLE shadow.%I SET SCHEMA public', place);
    END LOOP;
END $$;

REVOKE EXECUTE ON FUNCTION begin_shadow(text), switch_to_shadow(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION begin_shadow(text), switch_to_shadow(text) TO cabildo_service;

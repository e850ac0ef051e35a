-- runs as superuser
-- While a projection is rebuilt its new tables stand in one schema, and the tables it replaced rest in another.
CREATE SCHEMA shadow AUTHORIZATION cabildo_owner;
CREATE SCHEMA retired AUTHORIZATION cabildo_owner;
GRANT USAGE ON SCHEMA shadow TO cabildo_service;

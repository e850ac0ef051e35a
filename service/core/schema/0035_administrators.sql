-- Players whose browser sessions may use the administrators' page; only the operator's command line changes this.
CREATE TABLE administrators (
    player uuid PRIMARY KEY REFERENCES players,
    since bigint NOT NULL
);
GRANT SELECT, INSERT, DELETE ON administrators TO cabildo_service;

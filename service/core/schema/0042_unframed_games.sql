-- Games whose hosts do not let pages of other sites show them in a frame.
CREATE TABLE unframed_games (
    id uuid PRIMARY KEY,
    since bigint NOT NULL
);
GRANT SELECT, INSERT, DELETE ON unframed_games TO cabildo_service;

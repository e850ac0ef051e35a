-- What the search bot thinks of games that are over: estimates that can be computed again from what stands here.
CREATE TABLE analyses (
    id uuid PRIMARY KEY,
    game uuid NOT NULL,
    level text NOT NULL, -- of the bot
    version integer NOT NULL, -- of the level
    steps integer NOT NULL, -- for each decision
    seed text NOT NULL,
    status text NOT NULL, -- waiting, running, done, cancelled
    total integer NOT NULL, -- decisions
    asker text NOT NULL,
    created bigint NOT NULL,
    changed bigint NOT NULL,
    UNIQUE (game, level, version, steps, seed)
);
CREATE INDEX analyses_at_work ON analyses (changed) WHERE status IN ('waiting', 'running');
CREATE INDEX analyses_by_asker ON analyses (asker) WHERE status IN ('waiting', 'running');

-- A row for each decision that has been thought about.
CREATE TABLE analysis_figures (
    id uuid NOT NULL,
    seq bigint NOT NULL, -- of the move in the game
    figures json NOT NULL,
    PRIMARY KEY (id, seq)
);

GRANT SELECT, INSERT, UPDATE, DELETE ON analyses, analysis_figures TO cabildo_service;

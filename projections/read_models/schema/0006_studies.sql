-- The studies there are: who they are for, and which games they are about.
CREATE TABLE studies (
    stream uuid PRIMARY KEY,
    version bigint NOT NULL,
    title bytea NOT NULL, -- the hash of a text
    visibility text NOT NULL,
    cloned_from uuid,
    created bigint NOT NULL,
    changed bigint NOT NULL
);
CREATE INDEX studies_by_change ON studies (changed DESC, stream DESC);

CREATE TABLE study_members (
    stream uuid NOT NULL,
    player text NOT NULL,
    role text NOT NULL,
    PRIMARY KEY (stream, player)
);
CREATE INDEX study_members_by_player ON study_members (player, stream);

CREATE TABLE study_chapters (
    stream uuid NOT NULL,
    chapter integer NOT NULL,
    game text NOT NULL,
    about uuid, -- the game; null: an analysis
    lesson boolean NOT NULL,
    PRIMARY KEY (stream, chapter)
);
CREATE INDEX study_chapters_by_game ON study_chapters (about) WHERE about IS NOT NULL;
CALL add_projection('studies', 'studies', 'study_members', 'study_chapters');

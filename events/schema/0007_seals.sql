-- The names the log is published under. The newest one grows; a log whose key is lost or stolen goes on under a new name.
CREATE TABLE origins (
    number integer PRIMARY KEY CHECK (number > 0),
    origin text NOT NULL UNIQUE,
    reason text NOT NULL,
    at timestamptz NOT NULL DEFAULT now()
);

-- One size has one root for ever. A checkpoint is stored here before anybody outside sees it.
CREATE TABLE checkpoints (
    origin text NOT NULL REFERENCES origins (origin),
    size bigint NOT NULL CHECK (size >= 0),
    root bytea NOT NULL,
    edge bytea NOT NULL,
    note text NOT NULL,
    at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (origin, size)
);

-- Lines of witnesses, to be written below the note.
CREATE TABLE cosignatures (
    origin text NOT NULL,
    size bigint NOT NULL,
    witness text NOT NULL,
    line text NOT NULL,
    at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (origin, size, witness),
    FOREIGN KEY (origin, size) REFERENCES checkpoints (origin, size)
);

-- Where signing was found to be safe: a restored or promoted cluster is another place and starts with signing off.
CREATE TABLE gates (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    cluster text NOT NULL,
    open boolean NOT NULL,
    reason text NOT NULL,
    at timestamptz NOT NULL DEFAULT now()
);

CALL guard('origins');
CALL guard('checkpoints');
CALL guard('cosignatures');
CALL guard('gates');
GRANT SELECT, INSERT ON origins, checkpoints, cosignatures, gates TO cabildo_service;

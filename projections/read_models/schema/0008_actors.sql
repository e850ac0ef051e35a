-- Which players acted in which streams; what they did is in the events.
CREATE TABLE actors (
    player uuid NOT NULL,
    stream uuid NOT NULL,
    PRIMARY KEY (player, stream)
);
CALL add_projection('actors', 'actors');

-- Answers that players left for their seats. Beside the log: the events are ordinary moves, and nobody else reads these.
CREATE TABLE programmed_answers (
    game uuid NOT NULL,
    seat smallint NOT NULL,
    number smallint NOT NULL, -- a place of the seat's few; used again
    id uuid NOT NULL,
    player uuid NOT NULL,
    decision text, -- the kind of decision; null: any at which the move is legal
    move text NOT NULL,
    card text, -- that the move is about, where its text tells a place only
    until text NOT NULL,
    span integer, -- the number of that stretch of the game; null: of none
    created bigint NOT NULL,
    since bigint NOT NULL, -- the version it was left at, or that it played last
    seen bigint NOT NULL, -- the version up to which it was considered
    played integer NOT NULL DEFAULT 0,
    PRIMARY KEY (game, seat, number)
);
CREATE INDEX programmed_answers_by_player ON programmed_answers (player);
GRANT SELECT, INSERT, UPDATE, DELETE ON programmed_answers TO cabildo_service;

-- Refused like a lost race when another answer took the place; the request then looks again.
CREATE FUNCTION leave_programmed_answer(
    new_game uuid,
    new_seat smallint,
    new_number smallint,
    new_id uuid,
    new_player uuid,
    new_decision text,
    new_move text,
    new_card text,
    new_until text,
    new_span integer,
    new_created bigint,
    new_since bigint,
    new_seen bigint,
    replaced uuid []
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM programmed_answers WHERE game = new_game AND id = ANY(replaced);
    INSERT INTO programmed_answers
        (game, seat, number, id, player, decision, move, card, until, span, created, since, seen)
    VALUES (
        new_game, new_seat, new_number, new_id, new_player, new_decision, new_move, new_card, new_until, new_span,
        new_created, new_since, new_seen
    ) ON CONFLICT (game, seat, number) DO NOTHING;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'place % of seat % is taken', new_number, new_seat USING ERRCODE = 'CAB01';
    END IF;
END $$;

-- In the transaction of the move that an answer plays: refuses it when the answer was cleared.
CREATE FUNCTION use_programmed_answer(
    of_game uuid, of_seat smallint, used uuid, new_version bigint, most integer
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    UPDATE programmed_answers SET played = played + 1 WHERE game = of_game AND id = used;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the answer was cleared' USING ERRCODE = 'CAB08';
    END IF;
    UPDATE programmed_answers SET since = new_version, seen = new_version - 1
    WHERE game = of_game AND seat = of_seat;
    DELETE FROM programmed_answers
    WHERE game = of_game AND id = used AND (until = 'once' OR played >= most);
END $$;

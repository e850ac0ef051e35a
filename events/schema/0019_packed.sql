-- Moves are stored packed by the program (their first byte is no brace); other kinds stay as they are, for they are read
-- in SQL here and there. Rows that were stored before stay as they were.
CREATE OR REPLACE VIEW event_documents AS
    SELECT
        stream,
        seq,
        kind,
        to_timestamp(at / 1e6) AS at,
        CASE WHEN get_byte(body, 0) = ascii('{') THEN convert_from(body, 'UTF8')::jsonb END AS document
    FROM events;

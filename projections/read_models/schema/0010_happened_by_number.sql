-- Games are searched by the number of a fact, too: "the third market". Searches without one skip from number to number.
DROP INDEX happened_by_subject;
CREATE INDEX happened_by_number ON happened (fact, subject, nth, round);

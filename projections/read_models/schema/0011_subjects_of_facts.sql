-- A subject belongs to some kinds of facts only. A planner that knows it reads the newest games until enough fit; else it
-- expects few games, reads all that fit and sorts them.
CREATE STATISTICS happened_subjects (dependencies, mcv) ON fact, subject FROM happened;

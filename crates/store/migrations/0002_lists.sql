-- What lists need: the number of the last move as players count, and which matches only
-- show a solution, so that they do not join those that somebody plays.
ALTER TABLE matches ADD COLUMN round INTEGER NOT NULL DEFAULT 0;
ALTER TABLE matches ADD COLUMN is_solution INTEGER NOT NULL DEFAULT 0;
-- Of older matches only the plies are known; most are for two.
UPDATE matches SET round = (ply + 1) / 2;

-- For lists: the number of the last move as players count, and whether a match only shows a
-- solution; such matches are not listed.
ALTER TABLE matches ADD COLUMN round INTEGER NOT NULL DEFAULT 0;
ALTER TABLE matches ADD COLUMN is_solution INTEGER NOT NULL DEFAULT 0;
-- Of older matches only the number of plies is known; most have two players.
UPDATE matches SET round = (ply + 1) / 2;

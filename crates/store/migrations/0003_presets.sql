-- Presets by what they hold: a match keeps the one it was begun with.
CREATE TABLE presets (
    hash TEXT PRIMARY KEY,
    text TEXT NOT NULL
) WITHOUT ROWID;

ALTER TABLE matches ADD COLUMN preset TEXT REFERENCES presets (hash);
-- In how many turns the problem is to be solved, where the match is one.
ALTER TABLE matches ADD COLUMN problem INTEGER;

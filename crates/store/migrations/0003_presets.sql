-- Presets by the hash of their text: a match keeps the one it was begun with.
CREATE TABLE presets (
    hash TEXT PRIMARY KEY,
    text TEXT NOT NULL
) WITHOUT ROWID;

ALTER TABLE matches ADD COLUMN preset TEXT REFERENCES presets (hash);
-- Number of turns in which the problem is to be solved, if the match is one.
ALTER TABLE matches ADD COLUMN problem INTEGER;

-- Who began a match: empty for the person at the machine, else a word that stands for the
-- address of a guest. All matches so far were listed as those of the person at the machine.
ALTER TABLE matches ADD COLUMN creator TEXT NOT NULL DEFAULT '';

CREATE INDEX matches_by_creator ON matches (creator, updated);

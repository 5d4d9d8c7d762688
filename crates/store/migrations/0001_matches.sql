-- Matches and their records. Whatever is deleted is only marked, so that it can be restored.
CREATE TABLE matches (
    id TEXT PRIMARY KEY,
    game TEXT NOT NULL,
    variant INTEGER NOT NULL,
    title TEXT NOT NULL,
    owner_key TEXT NOT NULL,
    -- JSON, one entry for each seat: who sits there, and the key of a guest.
    seats TEXT NOT NULL,
    seed INTEGER NOT NULL,
    current INTEGER NOT NULL DEFAULT 0,
    -- Shown in lists, which so need no rules.
    ply INTEGER NOT NULL DEFAULT 0,
    mover TEXT,
    your_turn INTEGER NOT NULL DEFAULT 0,
    outcome TEXT,
    state TEXT NOT NULL DEFAULT '',
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    deleted INTEGER
);
CREATE INDEX matches_updated ON matches (updated DESC) WHERE deleted IS NULL;

CREATE TABLE nodes (
    match TEXT NOT NULL REFERENCES matches (id),
    id INTEGER NOT NULL,
    parent INTEGER,
    kind TEXT NOT NULL,
    long TEXT NOT NULL,
    request TEXT NOT NULL DEFAULT '',
    comment TEXT NOT NULL DEFAULT '',
    score INTEGER,
    resigned INTEGER,
    PRIMARY KEY (match, id)
) WITHOUT ROWID;

CREATE TABLE chats (
    match TEXT NOT NULL REFERENCES matches (id),
    n INTEGER NOT NULL,
    name TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (match, n)
) WITHOUT ROWID;

-- The user's own games; their files are in a folder named by the id.
CREATE TABLE games (
    id TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    file TEXT NOT NULL,
    created INTEGER NOT NULL,
    deleted INTEGER
);

CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

-- A match is the log of its events; before, it was the tables `nodes` and `chats`, which were
-- changed in place, and the columns `seats` and `current` of `matches`. Those two columns stay,
-- derived from the log like the others that lists need.
CREATE TABLE events (
    match_id TEXT NOT NULL REFERENCES matches (id),
    -- Number within the match, from 1 on without gaps.
    seq INTEGER NOT NULL,
    -- Unix milliseconds.
    at INTEGER NOT NULL,
    -- The sender's id of the request; empty if there was none.
    request TEXT NOT NULL,
    -- EventKind::name; it says which of the following columns are used, and for what.
    kind TEXT NOT NULL,
    node INTEGER,
    player INTEGER,
    name TEXT NOT NULL,
    text TEXT NOT NULL,
    number INTEGER,
    PRIMARY KEY (match_id, seq)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER events_are_not_changed BEFORE UPDATE ON events
BEGIN
    SELECT raise(ABORT, 'events are not changed');
END;

CREATE TRIGGER events_are_not_deleted BEFORE DELETE ON events
BEGIN
    SELECT raise(ABORT, 'events are not deleted');
END;

-- Nodes count from 0 in the order of their creation. Their ids should do so already; this
-- makes sure of it.
CREATE TABLE numbered (
    match TEXT NOT NULL,
    id INTEGER NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (match, id)
) WITHOUT ROWID;

INSERT INTO numbered
SELECT match, id, row_number() OVER (PARTITION BY match ORDER BY id) - 1 FROM nodes;

UPDATE matches
SET current = numbered.number
FROM numbered
WHERE numbered.match = matches.id AND numbered.id = matches.current;

INSERT INTO events (match_id, seq, at, request, kind, node, player, name, text, number)
WITH
    notes AS (
        SELECT numbered.*, parents.number AS parent, kind, long, request, comment, score, resigned
        FROM nodes
        JOIN numbered USING (match, id)
        LEFT JOIN numbered AS parents
            ON parents.match = nodes.match AND parents.id = nodes.parent
    ),
    -- `part`, `place` and `sort` are the order within the match.
    steps (match, part, place, sort, request, kind, node, player, name, text, number) AS (
        SELECT match, 1, 0, 0, request, 'setup', NULL, NULL, '', long, NULL
        FROM notes WHERE number = 0 AND kind = 'edit'
        UNION ALL
        SELECT match, 2, number, 0, request,
            CASE kind WHEN 'edit' THEN 'edit' WHEN 'chance' THEN 'chance' ELSE 'move' END,
            parent, NULL, '', long, NULL
        FROM notes WHERE number > 0
        UNION ALL
        SELECT match, 3, number, 1, '', 'comment', number, NULL, '', comment, NULL
        FROM notes WHERE comment <> ''
        UNION ALL
        SELECT match, 3, number, 2, '', 'score', number, NULL, '', '', score
        FROM notes WHERE score IS NOT NULL
        UNION ALL
        SELECT match, 3, number, 3, '', 'resign', number, resigned, '', '', NULL
        FROM notes WHERE resigned IS NOT NULL
        UNION ALL
        SELECT id, 4, 0, 0, '', 'seats', NULL, NULL, '', seats, NULL
        FROM matches
        UNION ALL
        SELECT match, 5, n, 0, '', 'chat', NULL, NULL, name, text, NULL
        FROM chats
        UNION ALL
        SELECT matches.id, 6, 0, 0, '', 'go_to', current, NULL, '', '', NULL
        FROM matches
        WHERE current <> (SELECT max(number) FROM numbered WHERE match = matches.id)
    )
SELECT
    steps.match,
    row_number() OVER (PARTITION BY steps.match ORDER BY part, place, sort),
    -- When each of them happened is not known.
    matches.updated,
    steps.request, steps.kind, steps.node, steps.player, steps.name, steps.text, steps.number
FROM steps
JOIN matches ON matches.id = steps.match;

DROP TABLE numbered;
DROP TABLE nodes;
DROP TABLE chats;

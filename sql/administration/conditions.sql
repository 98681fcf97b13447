-- Notes of unusual conditions of the database, for all servers and commands.

-- name: note_condition
-- Notes an unusual condition of the database, replacing the earlier note of the same name and source. Notes
-- under this name that other sources have not repeated for two days are removed.
-- $1 name, $2 source, $3 the figures as JSON
WITH forgotten AS (
    DELETE FROM landfall.database_condition
     WHERE name = $1 AND source <> $2 AND noted_at < statement_timestamp() - interval '2 days'
)
INSERT INTO landfall.database_condition AS known (name, source, noted_at, detail)
VALUES ($1, $2, clock_timestamp(), $3::text::jsonb)
ON CONFLICT (name, source) DO UPDATE SET noted_at = excluded.noted_at, detail = excluded.detail;

-- name: read_conditions
-- Which notes of an unusual condition of the database are there? One row per source, with the age of the note
-- in milliseconds.
-- $1 name
SELECT source, noted_at, detail::text AS detail,
       (extract(epoch FROM clock_timestamp() - noted_at) * 1000)::bigint AS age
  FROM landfall.database_condition
 WHERE name = $1
 ORDER BY source;

-- name: forget_condition
-- Removes a condition that has passed. $1 name, $2 source, or null for all
DELETE FROM landfall.database_condition WHERE name = $1 AND ($2::text IS NULL OR source = $2);

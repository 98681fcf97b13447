-- Facts about the whole database, by name.

-- name: read_setting
-- What is the value of this fact about the database? No row while it is not known.
-- $1 name
SELECT value FROM landfall.setting WHERE name = $1;

-- name: claim_setting
-- Sets a value unless there is one, and returns the value that applies.
-- $1 name, $2 value
INSERT INTO landfall.setting AS known (name, value) VALUES ($1, $2)
ON CONFLICT (name) DO UPDATE SET name = known.name
RETURNING known.value;

-- name: store_setting
-- Stores a fact about the database. $1 name, $2 value
INSERT INTO landfall.setting (name, value) VALUES ($1, $2)
ON CONFLICT (name) DO UPDATE SET value = excluded.value;

-- name: remove_settings
-- Removes facts about the database. $1 name[]
DELETE FROM landfall.setting WHERE name = ANY ($1::text[]);

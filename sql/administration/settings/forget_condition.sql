-- Removes a condition that has passed. $1 name, $2 source, or null for all
DELETE FROM landfall.database_condition WHERE name = $1 AND ($2::text IS NULL OR source = $2);

-- Removes facts about the database. $1 name[]
DELETE FROM landfall.setting WHERE name = ANY ($1::text[]);

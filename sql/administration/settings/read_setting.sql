-- What is the value of this fact about the database? No row while it is not known.
-- $1 name
SELECT value FROM landfall.setting WHERE name = $1;

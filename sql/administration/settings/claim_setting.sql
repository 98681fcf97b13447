-- Sets a value unless it is set, and answers the one that stands.
-- $1 name, $2 value
INSERT INTO landfall.setting AS known (name, value) VALUES ($1, $2)
ON CONFLICT (name) DO UPDATE SET name = known.name
RETURNING known.value;

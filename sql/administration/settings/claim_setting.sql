-- Sets a value unless there is one, and returns the value that applies.
-- $1 name, $2 value
INSERT INTO landfall.setting AS known (name, value) VALUES ($1, $2)
ON CONFLICT (name) DO UPDATE SET name = known.name
RETURNING known.value;

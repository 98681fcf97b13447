-- Stores for how long a server keeps notifications, if that is longer than the stored value. One row: the value now.
-- $1 days
INSERT INTO landfall.setting AS known (name, value) VALUES ('retention_days', convert_to($1::bigint::text, 'UTF8'))
ON CONFLICT (name) DO UPDATE
SET value = convert_to(greatest($1::bigint, convert_from(known.value, 'UTF8')::bigint)::text, 'UTF8')
RETURNING convert_from(known.value, 'UTF8')::bigint AS days;

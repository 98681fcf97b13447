-- Notes how long a server keeps notifications where that is longer than what is noted. One row: what holds now.
-- $1 days
INSERT INTO landfall.setting AS known (name, value) VALUES ('retention_days', convert_to($1::bigint::text, 'UTF8'))
ON CONFLICT (name) DO UPDATE
SET value = convert_to(greatest($1::bigint, convert_from(known.value, 'UTF8')::bigint)::text, 'UTF8')
RETURNING convert_from(known.value, 'UTF8')::bigint AS days;

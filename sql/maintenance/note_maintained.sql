-- Stores when maintenance last ran to its end. $1 the instant
INSERT INTO landfall.setting (name, value)
VALUES ('maintained_at', convert_to((extract(epoch FROM $1::timestamptz) * 1000)::bigint::text, 'UTF8'))
ON CONFLICT (name) DO UPDATE SET value = excluded.value;

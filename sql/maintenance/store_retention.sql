-- Stores for how long the servers of this database keep notifications. $1 days
INSERT INTO landfall.setting (name, value) VALUES ('retention_days', convert_to($1::bigint::text, 'UTF8'))
ON CONFLICT (name) DO UPDATE SET value = excluded.value;

-- Claims a migration: was it recorded now, and which checksum does the ledger have for it?
-- $1 name, $2 checksum
--
-- The update changes nothing, but makes RETURNING yield a row in both cases; xmax is 0 only for a new row.
INSERT INTO landfall.schema_migration AS ledger (name, checksum)
VALUES ($1, $2)
ON CONFLICT (name) DO UPDATE SET name = ledger.name
RETURNING ledger.xmax = 0 AS was_recorded_now, ledger.checksum;

-- Landfall's schemas in a database, and the ledger of the migrations that made them.

-- name: find_schemas
-- Which of Landfall's schemas are in this database? One row per schema.
SELECT nspname::text FROM pg_catalog.pg_namespace WHERE nspname IN ('landfall', 'report_v1') ORDER BY nspname;

-- name: create_migration_ledger
-- Creates the schema and its ledger of applied migrations.
CREATE SCHEMA IF NOT EXISTS "landfall";
CREATE TABLE IF NOT EXISTS landfall.schema_migration (
    name       text NOT NULL,
    checksum   bytea NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT schema_migration_pkey PRIMARY KEY (name)
);
COMMENT ON TABLE landfall.schema_migration IS 'Applied migrations. Each row is written first in its migration''s own transaction.';
COMMENT ON COLUMN landfall.schema_migration.name IS 'The file''s name without its ending.';
COMMENT ON COLUMN landfall.schema_migration.checksum IS 'SHA-256 of the file as it was applied.';
COMMENT ON COLUMN landfall.schema_migration.applied_at IS 'When it was applied.';

-- name: list_migrations
-- Which migrations have been applied, and with which checksums of their files?
SELECT name, checksum FROM landfall.schema_migration ORDER BY name;

-- name: record_migration
-- Claims a migration: was it recorded now, and which checksum is in the ledger? $1 name, $2 checksum
--
-- The update changes nothing, but makes RETURNING yield a row in both cases; xmax is 0 only for a new row.
INSERT INTO landfall.schema_migration AS ledger (name, checksum)
VALUES ($1, $2)
ON CONFLICT (name) DO UPDATE SET name = ledger.name
RETURNING ledger.xmax = 0 AS was_recorded_now, ledger.checksum;

-- name: take_ids_of_range
-- Gives identity columns that a migration has added ids of this cell's range, if there are several cells.
DO $$ BEGIN
    IF to_regproc('landfall.take_ids') IS NOT NULL THEN
        PERFORM landfall.take_ids(coalesce((SELECT get_byte(value, 0) FROM landfall.setting WHERE name = 'cell'), 0), max(min_value) >> 38)
           FROM landfall.id_sequence HAVING min(max_value) < 1::bigint << 48;
    END IF;
END; $$;

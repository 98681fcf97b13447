-- Creates the schema and its ledger of applied migrations.
CREATE SCHEMA IF NOT EXISTS landfall;
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

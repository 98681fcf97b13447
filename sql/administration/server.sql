-- The PostgreSQL server: its clock, its files, whether it can write and keeps what is written.

-- name: clock
-- What time is it, by PostgreSQL's clock?
SELECT clock_timestamp() AS now;

-- name: data_directory
-- Where are PostgreSQL's own files? Only its owner may ask.
SELECT current_setting('data_directory') AS data_directory;

-- name: durability
-- Does this server keep committed data when the machine crashes? One row with three settings as text.
SELECT current_setting('fsync')              AS fsync,
       current_setting('full_page_writes')   AS full_page_writes,
       current_setting('synchronous_commit') AS synchronous_commit;

-- name: condition
-- Can this session write? A standby cannot, and neither can a session that is read-only by the settings of
-- its database, role or server.
SELECT pg_is_in_recovery() AS is_standby,
       current_setting('default_transaction_read_only') = 'on' AS is_read_only,
       current_setting('server_version') AS server_version;

-- name: try_writing
-- Writes 700 kB to a table that is dropped with the transaction, to check that writing is possible: a full
-- disk, a read-only session and a library that cannot be loaded raise the same error as writing events would.
DO $$
BEGIN
    CREATE TEMPORARY TABLE landfall_writing_trial ON COMMIT DROP AS
    SELECT number FROM generate_series(1, 20000) AS number;
END;
$$;

-- name: analyze_all
-- Collects statistics for the planner after a restore: the first reports may come before autovacuum does.
ANALYZE;

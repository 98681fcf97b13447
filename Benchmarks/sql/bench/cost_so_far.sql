-- How many bytes of write-ahead log has this PostgreSQL written, and which of its processes answers? One row.
SELECT pg_backend_pid() AS pid, (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::bigint AS log_bytes;

-- Which PostgreSQL is this? One row.
SELECT current_setting('server_version') AS version;

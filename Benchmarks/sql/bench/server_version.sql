-- Which PostgreSQL is this? One row.
SELECT split_part(current_setting('server_version'), ' ', 1) AS version;

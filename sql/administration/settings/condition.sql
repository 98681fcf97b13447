-- Can this session write? A standby cannot, and neither can a session that is read-only by the settings of its database, role or
-- server.
SELECT pg_is_in_recovery() AS is_standby,
       current_setting('default_transaction_read_only') = 'on' AS is_read_only,
       current_setting('server_version') AS server_version;

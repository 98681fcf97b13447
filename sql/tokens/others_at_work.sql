-- Does any other session of this database work on a statement right now?
SELECT EXISTS (
    SELECT
    FROM pg_stat_activity
    WHERE datname = current_database()
      AND pid <> pg_backend_pid()
      AND backend_type = 'client backend'
      AND state = 'active'
);

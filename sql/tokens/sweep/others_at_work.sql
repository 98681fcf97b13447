-- Is any other session of this database running a statement right now?
-- A role without pg_read_all_stats does not see the state and the type of other roles' sessions. But it sees that a session is in
-- a transaction or holds a snapshot, as it does while running a statement, and that autovacuum workers have no user.
SELECT EXISTS (
    SELECT
    FROM pg_stat_activity
    WHERE datname = current_database()
      AND pid <> pg_backend_pid()
      AND CASE WHEN backend_type IS NOT NULL
               THEN backend_type = 'client backend' AND state = 'active'
               ELSE usesysid IS NOT NULL AND (backend_xid IS NOT NULL OR backend_xmin IS NOT NULL)
          END
) AS others_work;

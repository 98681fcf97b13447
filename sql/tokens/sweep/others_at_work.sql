-- Does any other session of this database work on a statement right now?
-- A role without pg_read_all_stats does not see the state and the kind of other roles' sessions. It does see whether they are in a
-- transaction and hold a snapshot, as whoever works on a statement does, and that workers of autovacuum have no user.
SELECT EXISTS (
    SELECT
    FROM pg_stat_activity
    WHERE datname = current_database()
      AND pid <> pg_backend_pid()
      AND CASE WHEN backend_type IS NOT NULL
               THEN backend_type = 'client backend' AND state = 'active'
               ELSE usesysid IS NOT NULL AND (backend_xid IS NOT NULL OR backend_xmin IS NOT NULL)
          END
);

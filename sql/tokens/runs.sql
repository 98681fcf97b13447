-- Token runs (sweeps, releases, restorations): their records and their consequences.

-- name: start_run
-- Records the start of a token run. $1 app_id, $2 action, $3 now
INSERT INTO landfall.token_run (app_id, action, started_at) VALUES ($1, $2, $3) RETURNING run_id;

-- name: others_at_work
-- Is any other session of this database running a statement right now? A role without pg_read_all_stats does
-- not see the state and the type of other roles' sessions. But it sees that a session is in a transaction or
-- holds a snapshot, as it does while running a statement, and that autovacuum workers have no user.
SELECT EXISTS (
    SELECT
    FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
      AND CASE WHEN backend_type IS NOT NULL
               THEN backend_type = 'client backend' AND state = 'active'
               ELSE usesysid IS NOT NULL AND (backend_xid IS NOT NULL OR backend_xmin IS NOT NULL)
          END
) AS others_work;

-- name: progress_run
-- Records the progress of a token run since the last call.
-- $1 run_id; tokens that a sweep made $2 stale and $3 retired, or $4 any other run changed; $5 end, or null
UPDATE landfall.token_run
SET stale_count = stale_count + $2, retired_count = retired_count + $3, changed_count = changed_count + $4, finished_at = $5
WHERE run_id = $1;

-- name: past_sweeps
-- How many of the tokens that sweeps changed since an instant became active again? One row per rule.
-- $1 app_id, $2 since, $3 rules
-- A token counts once per rule, at the first time.
WITH changed AS (
    SELECT token_id, rule, min(transition_id) AS transition_id
    FROM landfall.token_transition
    WHERE app_id = $1 AND at >= $2 AND rule = ANY ($3::text[]) AND run_id IS NOT NULL
      AND from_state IS DISTINCT FROM to_state
    GROUP BY token_id, rule
)
SELECT rule,
       count(*) AS changed,
       count(*) FILTER (WHERE EXISTS (SELECT 1
                                      FROM landfall.token_transition AS later
                                      WHERE later.token_id = changed.token_id
                                        AND later.transition_id > changed.transition_id
                                        AND later.to_state = 'active'
                                        AND later.from_state IS DISTINCT FROM later.to_state)) AS revived
FROM changed
GROUP BY rule
ORDER BY rule;

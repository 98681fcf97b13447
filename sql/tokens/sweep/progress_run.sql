-- Records the progress of a token run since the last call.
-- $1 run_id; tokens that a sweep made $2 stale and $3 retired; $4 tokens that any other run changed; $5 end, or null
UPDATE landfall.token_run
SET stale_count = stale_count + $2, retired_count = retired_count + $3, changed_count = changed_count + $4, finished_at = $5
WHERE run_id = $1;

-- Notes how far a sweep has come. $1 run_id, $2 tokens made stale since the last note, $3 tokens retired since,
-- $4 when it ended, or null
UPDATE landfall.sweep_run
SET stale_count = stale_count + $2, retired_count = retired_count + $3, finished_at = $4
WHERE run_id = $1;

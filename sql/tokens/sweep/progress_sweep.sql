-- Records the progress of a sweep. $1 run_id, $2 tokens made stale and $3 retired since the last call, $4 end, or null
UPDATE landfall.sweep_run
SET stale_count = stale_count + $2, retired_count = retired_count + $3, finished_at = $4
WHERE run_id = $1;

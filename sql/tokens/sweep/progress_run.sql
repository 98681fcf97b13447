-- Records the progress of a release, confirmation or restoration. $1 run_id, $2 tokens changed since the last call, $3 end or
-- null
UPDATE landfall.sweep_run SET changed_count = changed_count + $2, finished_at = $3 WHERE run_id = $1;

-- Notes how far such a run has come. $1 run_id, $2 tokens changed since the last note, $3 when it ended, or null
UPDATE landfall.sweep_run SET changed_count = changed_count + $2, finished_at = $3 WHERE run_id = $1;

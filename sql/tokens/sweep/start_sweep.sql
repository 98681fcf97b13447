-- Records the start of a sweep. $1 app_id, $2 now
INSERT INTO landfall.sweep_run (app_id, started_at) VALUES ($1, $2) RETURNING run_id;

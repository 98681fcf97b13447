-- Records the start of a token run. $1 app_id, $2 action, $3 now
INSERT INTO landfall.token_run (app_id, action, started_at) VALUES ($1, $2, $3) RETURNING run_id;

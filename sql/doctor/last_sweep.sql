-- When was the app last swept, and since when could a sweep have had work?
--
-- Parameters: $1 app, $2 states of tokens that a sweep reads.
-- Grain: one row. `has_tokens`: there is a token in these states.

SELECT app.created_at,
       (app.settings ->> 'stale_after_days')::bigint AS stale_after_days,
       (SELECT max(finished_at)
          FROM landfall.token_run
         WHERE app_id = $1 AND action = 'sweep') AS swept_at,
       EXISTS (SELECT 1
                 FROM landfall.token
                WHERE app_id = $1 AND state = ANY ($2::text[])) AS has_tokens
  FROM landfall.app
 WHERE app.app_id = $1;

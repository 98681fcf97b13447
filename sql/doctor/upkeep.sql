-- Diagnoses of upkeep: maintenance, the size of the counters, sweeps.

-- name: unfolded_quarters
-- How many quarter hours has maintenance still to fold, and when did it last run?
--
-- Parameters: $1 app, $2 before (exclusive), at a quarter hour. Grain: one row. Late events add unfolded rows
-- to old quarter hours until the next maintenance. maintained_at is, before the first maintenance, when the
-- database got its schema.

SELECT count(DISTINCT quarter) AS unfolded_quarters, min(quarter) AS oldest,
       coalesce((SELECT to_timestamp(convert_from(value, 'UTF8')::bigint / 1000.0)
                   FROM landfall.setting
                  WHERE name = 'maintained_at'),
                (SELECT min(applied_at) FROM landfall.schema_migration)) AS maintained_at
  FROM landfall.counter_live
 WHERE app_id = $1 AND quarter < $2;

-- name: scattered_counters
-- Over how many states and campaigns are the notifications of each hour scattered?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive), both at quarter hours.
-- Grain: one row per hour (UTC) of sending with a notification that has a response.

WITH counted AS (
    SELECT date_trunc('hour', quarter, 'UTC') AS hour, campaign_id, state, sum(notifications)::bigint AS notifications
      FROM landfall.headline_by_quarter
     WHERE app_id = $1 AND quarter >= $2 AND quarter < $3 AND campaign_id <> 0
     GROUP BY 1, 2, 3
    HAVING sum(notifications) <> 0
)
SELECT hour, count(DISTINCT state) AS states, count(DISTINCT campaign_id) AS campaigns,
       sum(notifications)::bigint AS notifications
  FROM counted
 GROUP BY hour
 ORDER BY hour;

-- name: last_sweep
-- When was the app last swept, and since when could a sweep have had work?
--
-- Parameters: $1 app, $2 states of tokens that a sweep reads.
-- Grain: one row. `has_tokens`: there is a token in these states.

SELECT app.created_at, (app.settings ->> 'stale_after_days')::bigint AS stale_after_days,
       (SELECT max(finished_at)
          FROM landfall.token_run
         WHERE app_id = $1 AND action = 'sweep') AS swept_at,
       EXISTS (SELECT FROM landfall.token WHERE app_id = $1 AND state = ANY ($2::text[])) AS has_tokens
  FROM landfall.app
 WHERE app.app_id = $1;

-- What do the counters of latency say by UTC day, and what do the folded quarter hours that these sum up say?
--
-- Parameters: $1 from (inclusive) and $2 to (exclusive), both at UTC days,
--             $3 app, or null for all.
-- Grain: one row per app, day, campaign, stage and bucket, twice: from the quarter hours in shard -1 (is_day is false) and from
-- the days (true).

SELECT app_id, date_trunc('day', quarter, 'UTC') AS day, campaign_id, stage, bucket,
       sum(notifications)::bigint AS notifications,
       false AS is_day
  FROM landfall.latency_rollup
 WHERE shard = -1 AND quarter >= $1 AND quarter < $2
   AND ($3::bigint IS NULL OR app_id = $3)
 GROUP BY app_id, day, campaign_id, stage, bucket
UNION ALL
SELECT app_id, day, campaign_id, stage, bucket,
       notifications,
       true
  FROM landfall.latency_day_rollup
 WHERE day >= $1 AND day < $2
   AND ($3::bigint IS NULL OR app_id = $3);

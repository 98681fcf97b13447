-- What do the counters of latency say?
--
-- Parameters: $1 from (inclusive) and $2 to (exclusive), both at quarter hours,
--             $3 app, or null for all.
-- Grain: one row per app, quarter hour, campaign, stage and bucket, summed over shards.

SELECT app_id, quarter, campaign_id, stage, bucket,
       sum(notifications)::bigint AS notifications
  FROM landfall.latency_rollup
 WHERE quarter >= $1 AND quarter < $2
   AND ($3::bigint IS NULL OR app_id = $3)
 GROUP BY app_id, quarter, campaign_id, stage, bucket;

-- What do the counters of times say?
--
-- Parameters: $1 from (inclusive) and $2 to (exclusive), both at quarter hours.
-- Grain: one row per app, quarter hour, campaign, stage and bucket, of all apps, summed over slots.

SELECT app_id, quarter, campaign_id, stage, bucket,
       sum(notifications)::bigint AS notifications
  FROM landfall.latency_rollup
 WHERE quarter >= $1 AND quarter < $2
 GROUP BY app_id, quarter, campaign_id, stage, bucket;

-- Verification of the counters of latency.

-- name: recorded_latency_rollup
-- What do the counters of latency say?
--
-- Parameters: $1 from (inclusive) and $2 to (exclusive), both at quarter hours, $3 app, or null for all.
-- Grain: one row per app, quarter hour, campaign, stage and bucket, summed over shards.

SELECT app_id, quarter, campaign_id, stage, bucket, sum(notifications)::bigint AS notifications
  FROM landfall.latency_rollup
 WHERE quarter >= $1 AND quarter < $2
   AND ($3::bigint IS NULL OR app_id = $3)
 GROUP BY app_id, quarter, campaign_id, stage, bucket;

-- name: recount_latency
-- How many notifications took how long, according to the notifications themselves?
--
-- Parameters: $1 from (inclusive) and $2 to (exclusive) of sent_at, $3 counters, and for each $4 its stage,
--             $5 the bits of delivery.state that it needs, and $6 the device events of which one must be
--             timed by receipt (0: any), $7 app, or null for all.
-- Grain: one row per app, quarter hour, campaign, counter and bucket.

SELECT delivery.app_id,
       date_bin('15 minutes', delivery.sent_at, '2000-01-01 00:00:00+00') AS quarter,
       delivery.campaign_id, counter.name AS stage,
       landfall.latency_bucket_of(
           CASE counter.stage WHEN 'arrival' THEN delivery.arrived_after_ms - coalesce(delivery.sent_after_ms, 0)
                              WHEN 'click' THEN delivery.clicked_after_ms - delivery.arrived_after_ms END) AS bucket,
       count(*) AS notifications
  FROM landfall.delivery
 CROSS JOIN unnest($3::text[], $4::text[], $5::integer[], $6::integer[]) AS counter (name, stage, bits, receipts)
 WHERE delivery.sent_at >= $1 AND delivery.sent_at < $2
   AND ($7::bigint IS NULL OR delivery.app_id = $7) AND delivery.app_id <> ALL ({{incomplete_apps}})
   AND delivery.state & counter.bits = counter.bits
   AND (counter.receipts = 0 OR delivery.timed_by_receipt & counter.receipts <> 0)
   AND delivery.arrived_after_ms IS NOT NULL
   AND (counter.stage = 'arrival' OR delivery.clicked_after_ms IS NOT NULL)
 GROUP BY delivery.app_id, quarter, delivery.campaign_id, counter.name, bucket;

-- name: recorded_latency_days
-- What do the counters of latency say by UTC day, and what do the folded quarter hours that these sum up say?
--
-- Parameters: $1 from (inclusive) and $2 to (exclusive), both at UTC days, $3 app, or null for all. Grain:
-- one row per app, day, campaign, stage and bucket, twice: from the quarter hours in shard -1 (is_day is
-- false) and from the days (true).

SELECT app_id, date_trunc('day', quarter, 'UTC') AS day, campaign_id, stage, bucket,
       sum(notifications)::bigint AS notifications, false AS is_day
  FROM landfall.latency_rollup
 WHERE shard = -1 AND quarter >= $1 AND quarter < $2
   AND ($3::bigint IS NULL OR app_id = $3)
 GROUP BY app_id, day, campaign_id, stage, bucket
UNION ALL
SELECT app_id, day, campaign_id, stage, bucket, notifications, true
  FROM landfall.latency_day_rollup
 WHERE day >= $1 AND day < $2
   AND ($3::bigint IS NULL OR app_id = $3);

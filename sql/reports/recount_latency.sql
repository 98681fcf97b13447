-- How long do the notifications themselves say they took?
--
-- Parameters: $1 from (inclusive) and $2 to (exclusive) of sent_at, $3 stages, and for each $4 the bits of delivery.state
--             that it needs,
--             $5 app, or null for all.
-- Grain: one row per app, quarter hour, campaign, stage and bucket.

SELECT delivery.app_id,
       date_bin('15 minutes', delivery.sent_at, '2000-01-01 00:00:00+00') AS quarter,
       delivery.campaign_id,
       step.stage,
       landfall.latency_bucket_of(
           CASE step.stage WHEN 'arrival' THEN delivery.arrived_after_ms
                           WHEN 'click' THEN delivery.clicked_after_ms - delivery.arrived_after_ms END) AS bucket,
       count(*) AS notifications
  FROM landfall.delivery
 CROSS JOIN unnest($3::text[], $4::integer[]) AS step (stage, bits)
 WHERE delivery.sent_at >= $1 AND delivery.sent_at < $2
   AND ($5::bigint IS NULL OR delivery.app_id = $5)
   AND delivery.state & step.bits = step.bits
   AND delivery.arrived_after_ms IS NOT NULL
   AND (step.stage = 'arrival' OR delivery.clicked_after_ms IS NOT NULL)
 GROUP BY delivery.app_id, quarter, delivery.campaign_id, step.stage, bucket;

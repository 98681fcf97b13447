-- Latencies, by bucket.

-- The rows of latency_rollup of a window of whole quarter hours, by local period, campaign, stage and bucket:
-- $1 app, $2 from (inclusive), $3 to (exclusive), $4 time zone, $5 unit. Sum the rows and ignore sums of 0:
-- negative rows subtract what belongs to another period.
-- part: latency_counters
SELECT whole.period, NULL::integer AS utc_offset_minutes, folded.*
  FROM landfall.report_days($2, $3, $4, $5) AS whole
 CROSS JOIN LATERAL (
    SELECT campaign_id, stage, bucket, notifications
      FROM landfall.latency_day_rollup
     WHERE app_id = $1 AND day = whole.day
    OFFSET 0
 ) AS folded
UNION ALL
SELECT edge.period, edge.utc_offset_minutes, folded.*
  FROM landfall.report_quarters($2, $3, $4, $5) AS edge
 CROSS JOIN LATERAL (
    SELECT campaign_id, stage, bucket, edge.weight * notifications
      FROM landfall.latency_rollup
     WHERE app_id = $1 AND quarter = edge.quarter AND shard = -1
    OFFSET 0
 ) AS folded
UNION ALL
SELECT landfall.report_period(quarter, $4, $5), landfall.report_utc_offset(quarter, $4, $5),
       campaign_id, stage, bucket, notifications
  FROM landfall.latency_rollup
 WHERE app_id = $1 AND quarter >= $2 AND quarter < $3 AND shard >= 0

-- name: latency_buckets
-- Which buckets are latencies counted in? One row per bucket, shortest first; the last has no upper bound.
SELECT bucket AS number, from_ms AS "from", to_ms AS "to" FROM landfall.latency_bucket ORDER BY bucket;

-- name: latency
-- How long did notifications take, from sending to arrival and from arrival to click?
--
-- Parameters: $1 to $9 as in questions.sql. Grain: one row per local period, campaign and variant, as
-- requested, with two arrays of equal length for each stage: buckets (see latency_bucket) and the number of
-- notifications in each; in order of time, then the largest first. Without a breakdown: the totals.

WITH counted AS (
    -- CASE shows the planner which of these are always null. Otherwise it would expect a group for each
    -- combination, and sort.
    SELECT CASE WHEN $5 IS NOT NULL THEN counter.period END AS period,
           CASE WHEN $5 = 'hour' THEN counter.utc_offset_minutes END AS utc_offset_minutes,
           CASE WHEN $6 OR $7 THEN counter.campaign_id END AS campaign_id,
           counter.stage, counter.bucket, sum(counter.notifications)::bigint AS notifications
      FROM ({{latency_counters($1; $2; $3; $4; $5)}}) AS counter
     WHERE {{is_selected(counter.campaign_id; $1; $8; $9)}}
     GROUP BY 1, 2, 3, 4, 5
), named AS (
    -- A full join is never a nested loop, even for few expected rows. Names without rows are dropped below.
    SELECT counted.*,
           CASE WHEN $6 THEN coalesce(campaign.key, '') END AS campaign,
           CASE WHEN $7 THEN coalesce(campaign.variant, '') END AS variant
      FROM counted
      FULL JOIN (SELECT campaign_id, key, variant FROM landfall.campaign
                  WHERE app_id = $1 AND ($6 OR $7)) AS campaign ON campaign.campaign_id = counted.campaign_id
    OFFSET 0
), told AS (
    SELECT period, utc_offset_minutes, campaign, variant, stage, bucket,
           sum(notifications)::bigint AS notifications
      FROM named
     WHERE notifications IS NOT NULL
     GROUP BY period, utc_offset_minutes, campaign, variant, stage, bucket
    HAVING sum(notifications) <> 0
)
SELECT to_char(period, 'YYYY-MM-DD"T"HH24:MI:SS') AS period, utc_offset_minutes, campaign, variant,
       array_agg(bucket ORDER BY bucket) FILTER (WHERE stage = 'arrival')        AS arrival_buckets,
       array_agg(notifications ORDER BY bucket) FILTER (WHERE stage = 'arrival') AS arrivals,
       array_agg(bucket ORDER BY bucket) FILTER (WHERE stage = 'click')          AS click_buckets,
       array_agg(notifications ORDER BY bucket) FILTER (WHERE stage = 'click')   AS clicks,
       coalesce(sum(notifications) FILTER (WHERE stage = 'arrival_by_receipt'), 0)::bigint AS arrivals_by_receipt,
       coalesce(sum(notifications) FILTER (WHERE stage = 'click_by_receipt'), 0)::bigint   AS clicks_by_receipt
  FROM told
 GROUP BY told.period, utc_offset_minutes, campaign, variant
 ORDER BY told.period, utc_offset_minutes DESC, sum(notifications) DESC, campaign, variant;

-- name: latency_by_traits
-- How long did notifications take to arrive, and from arrival to click, by what is known of push and target?
--
-- Parameters: $1 to $12 as in questions.sql, $13 stages, and for each $14 the bits of delivery.state that it
--             needs, and $15 the device events of which one must be timed by receipt for the notification to
--             count as by_receipt.
-- Grain: one row per local period, campaign, variant and trait, as requested, with two arrays of equal length
-- for each stage: buckets and the number of notifications in each; in order of time, then the largest first.
--
-- The counters of latency have no segments, so the notifications themselves are read.

WITH counted AS (
    SELECT landfall.report_period(delivery.sent_at, $4, $5) AS period,
           landfall.report_utc_offset(delivery.sent_at, $4, $5) AS utc_offset_minutes,
           CASE WHEN $6 OR $7 THEN delivery.campaign_id END AS campaign_id,
           CASE WHEN $10 IS NOT NULL OR $11 IS NOT NULL THEN delivery.segment_id END AS segment_id,
           step.stage,
           landfall.latency_bucket_of(
               CASE step.stage WHEN 'arrival' THEN delivery.arrived_after_ms - coalesce(delivery.sent_after_ms, 0)
                               WHEN 'click' THEN delivery.clicked_after_ms - delivery.arrived_after_ms END) AS bucket,
           count(*)                                                             AS notifications,
           count(*) FILTER (WHERE delivery.timed_by_receipt & step.receipts <> 0) AS by_receipt
      FROM landfall.delivery
     CROSS JOIN unnest($13::text[], $14::integer[], $15::integer[]) AS step (stage, bits, receipts)
     WHERE delivery.app_id = $1 AND delivery.sent_at >= $2 AND delivery.sent_at < $3
       AND delivery.state & step.bits = step.bits
       AND delivery.arrived_after_ms IS NOT NULL
       AND (step.stage = 'arrival' OR delivery.clicked_after_ms IS NOT NULL)
       AND ($12::bigint[] IS NULL OR delivery.segment_id = ANY ($12))
       AND {{is_selected(delivery.campaign_id; $1; $8; $9)}}
     GROUP BY 1, 2, 3, 4, 5, 6
), named AS (
    {{named_counts}}
), told AS (
    SELECT period, utc_offset_minutes, campaign, variant, first_trait, second_trait, stage, bucket,
           sum(notifications)::bigint AS notifications, sum(by_receipt)::bigint AS by_receipt
      FROM named
     WHERE notifications IS NOT NULL
     GROUP BY period, utc_offset_minutes, campaign, variant, first_trait, second_trait, stage, bucket
)
SELECT to_char(period, 'YYYY-MM-DD"T"HH24:MI:SS') AS period, utc_offset_minutes, campaign, variant, first_trait, second_trait,
       array_agg(bucket ORDER BY bucket) FILTER (WHERE stage = 'arrival')        AS arrival_buckets,
       array_agg(notifications ORDER BY bucket) FILTER (WHERE stage = 'arrival') AS arrivals,
       array_agg(bucket ORDER BY bucket) FILTER (WHERE stage = 'click')          AS click_buckets,
       array_agg(notifications ORDER BY bucket) FILTER (WHERE stage = 'click')   AS clicks,
       coalesce(sum(by_receipt) FILTER (WHERE stage = 'arrival'), 0)::bigint AS arrivals_by_receipt,
       coalesce(sum(by_receipt) FILTER (WHERE stage = 'click'), 0)::bigint   AS clicks_by_receipt
  FROM told
 GROUP BY told.period, utc_offset_minutes, campaign, variant, first_trait, second_trait
 ORDER BY told.period, utc_offset_minutes DESC, sum(notifications) DESC, campaign, variant, first_trait, second_trait;

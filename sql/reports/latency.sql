-- How long did notifications take, from sending to arrival and from arrival to click?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive), both at quarter hours, $4 IANA time zone,
--             $5 unit of local time to break down by (hour, day, week, month; null: none), $6 break down by campaign,
--             $7 break down by variant, $8 campaigns and $9 variants to keep (null: all).
-- Grain: one row per local period, campaign and variant, as far as they were asked for, with the buckets of each stage (see
-- latency_bucket) and beside each of them how many; by time, then the largest first. The totals are the same question with no
-- breakdown.

WITH selected AS (
    -- Said so that the planner sees which of these are always null: it would expect a group for each combination, and sort.
    SELECT CASE WHEN $5 IS NOT NULL THEN counter.period END AS period,
           CASE WHEN $5 = 'hour' THEN counter.utc_offset_minutes END AS utc_offset_minutes,
           CASE WHEN $6 THEN coalesce(campaign.key, '') END AS campaign,
           CASE WHEN $7 THEN coalesce(campaign.variant, '') END AS variant,
           counter.stage, counter.bucket, counter.notifications
      FROM landfall.latency_counters($1, $2, $3, $4, $5) AS counter
      LEFT JOIN landfall.campaign ON campaign.app_id = $1 AND campaign.campaign_id = counter.campaign_id
     WHERE ($8 IS NULL OR coalesce(campaign.key, '') = ANY ($8))
       AND ($9 IS NULL OR coalesce(campaign.variant, '') = ANY ($9))
), counted AS (
    SELECT period, utc_offset_minutes, campaign, variant, stage, bucket,
           sum(notifications)::bigint AS notifications
      FROM selected
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
  FROM counted
 GROUP BY counted.period, utc_offset_minutes, campaign, variant
 ORDER BY counted.period, utc_offset_minutes DESC, sum(notifications) DESC, campaign, variant;

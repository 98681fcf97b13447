-- What did people do with the notifications their devices had?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive), both at quarter hours, $4 IANA time zone,
--             $5 unit of local time to break down by (hour, day, week, month; null: none), $6 break down by campaign,
--             $7 break down by variant, $8 campaigns to keep (null: all).
-- Grain: one row per local period, campaign and variant, as far as they were asked for; by time, then the largest first.
-- The totals are the same question with no breakdown.

WITH selected AS (
    SELECT date_trunc($5, rollup.quarter AT TIME ZONE $4) AS period,
           -- In the hour that autumn repeats, the offset from UTC is all that tells the two apart.
           CASE WHEN $5 = 'hour'
                THEN extract(EPOCH FROM (rollup.quarter AT TIME ZONE $4) - (rollup.quarter AT TIME ZONE 'UTC'))::int / 60
           END AS utc_offset_minutes,
           CASE WHEN $6 THEN coalesce(campaign.key, '') END AS campaign,
           CASE WHEN $7 THEN coalesce(campaign.variant, '') END AS variant,
           rollup.attempted, rollup.accepted, rollup.confirmed, rollup.presented, rollup.clicked, rollup.dismissed
      FROM landfall.delivery_rollup AS rollup
      LEFT JOIN landfall.campaign ON campaign.app_id = rollup.app_id AND campaign.campaign_id = rollup.campaign_id
     WHERE rollup.app_id = $1
       AND rollup.quarter >= $2 AND rollup.quarter < $3
       AND ($8 IS NULL OR coalesce(campaign.key, '') = ANY ($8))
), counted AS (
    SELECT period, utc_offset_minutes, campaign, variant,
           sum(attempted)::bigint AS attempted,
           sum(accepted)::bigint  AS accepted,
           sum(confirmed)::bigint AS confirmed,
           sum(presented)::bigint AS presented,
           sum(clicked)::bigint   AS clicked,
           sum(dismissed)::bigint AS dismissed
      FROM selected
     GROUP BY period, utc_offset_minutes, campaign, variant
)
SELECT to_char(period, 'YYYY-MM-DD"T"HH24:MI:SS') AS period, utc_offset_minutes, campaign, variant,
       attempted, accepted, confirmed, presented, clicked, dismissed
  FROM counted
 ORDER BY counted.period, utc_offset_minutes DESC, attempted DESC, campaign, variant;

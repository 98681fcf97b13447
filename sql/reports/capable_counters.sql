-- What do the counters say of notifications to versions of the app that report arrivals?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive), both at quarter hours, $4 IANA time zone,
--             $5 unit of local time to break down by (hour, day, week, month; null: none), $6 break down by campaign,
--             $7 break down by variant, $8 campaigns and $9 variants to keep (null: all),
--             $10 and $11 traits of segment to break down by (null: none), $12 segments to keep (null: all).
-- Grain: one row per local period, campaign, variant and trait, as far as they were asked for; those without any are missing.
-- A notification is in one row only, so the totals are the sum of the rows.
--
-- Few measures on purpose: rows of segments are many, and each sum over them is felt.

WITH capable AS MATERIALIZED (
    SELECT segment.segment_id,
           landfall.segment_trait(segment, $10) AS first_trait,
           landfall.segment_trait(segment, $11) AS second_trait
      FROM landfall.segment
      JOIN landfall.reporting_version AS reporting
        ON reporting.app_id = segment.app_id
       AND reporting.platform = segment.platform AND reporting.app_version = segment.app_version
     WHERE segment.app_id = $1
       AND ($12::bigint[] IS NULL OR segment.segment_id = ANY ($12))
), selected AS (
    -- Said so that the planner sees which of these are always null: it would expect a group for each combination, and sort.
    SELECT CASE WHEN $5 IS NOT NULL THEN counter.period END AS period,
           CASE WHEN $5 = 'hour' THEN counter.utc_offset_minutes END AS utc_offset_minutes,
           CASE WHEN $6 THEN coalesce(campaign.key, '') END AS campaign,
           CASE WHEN $7 THEN coalesce(campaign.variant, '') END AS variant,
           CASE WHEN $10 IS NOT NULL THEN capable.first_trait END AS first_trait,
           CASE WHEN $11 IS NOT NULL THEN capable.second_trait END AS second_trait,
           counter.attempted, counter.accepted, counter.reportable, counter.arrived_reportable, counter.confirmed_unreported,
           counter.responded_reportable
      FROM landfall.segment_counters($1, $2, $3, $4, $5) AS counter
      JOIN capable ON capable.segment_id = counter.segment_id
      LEFT JOIN landfall.campaign ON campaign.app_id = $1 AND campaign.campaign_id = counter.campaign_id
     WHERE ($8 IS NULL OR coalesce(campaign.key, '') = ANY ($8))
       AND ($9 IS NULL OR coalesce(campaign.variant, '') = ANY ($9))
)
SELECT to_char(period, 'YYYY-MM-DD"T"HH24:MI:SS') AS period, utc_offset_minutes, campaign, variant, first_trait, second_trait,
       sum(accepted)::bigint             AS accepted,
       sum(reportable)::bigint           AS reportable,
       sum(arrived_reportable)::bigint   AS arrived_reportable,
       sum(confirmed_unreported)::bigint AS confirmed_unreported,
       sum(responded_reportable)::bigint AS responded_reportable
  FROM selected
 GROUP BY selected.period, utc_offset_minutes, campaign, variant, first_trait, second_trait
HAVING sum(attempted) <> 0;

-- What do the counters say of notifications to versions of the app that report arrivals?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive), both at quarter hours, $4 IANA time zone,
--             $5 unit of local time to break down by (hour, day, week, month; null: none), $6 break down by campaign,
--             $7 break down by variant, $8 campaigns and $9 variants to keep (null: all),
--             $10 and $11 traits of segment to break down by (null: none), $12 segments to keep (null: all).
-- Grain: one row per local period, campaign, variant and trait, as far as they were asked for; those without any are missing.
-- A notification is in one row only, so the totals are the sum of the rows.
--
-- Few measures on purpose: rows of segments are many, and each sum over them is felt. Summed up by ids first, named afterwards
-- (docs/decisions/0032).

WITH capable AS MATERIALIZED (
    SELECT segment.segment_id
      FROM landfall.segment
     WHERE segment.app_id = $1
       AND ($12::bigint[] IS NULL OR segment.segment_id = ANY ($12))
       AND ((segment.platform, segment.app_version)
            IN (SELECT platform, app_version FROM landfall.reporting_version WHERE app_id = $1)) IS TRUE
), counted AS (
    -- Said so that the planner sees which of these are always null: it would expect a group for each combination, and sort.
    SELECT CASE WHEN $5 IS NOT NULL THEN counter.period END AS period,
           CASE WHEN $5 = 'hour' THEN counter.utc_offset_minutes END AS utc_offset_minutes,
           CASE WHEN $6 OR $7 THEN counter.campaign_id END AS campaign_id,
           CASE WHEN $10 IS NOT NULL OR $11 IS NOT NULL THEN counter.segment_id END AS segment_id,
           sum(counter.attempted)::bigint            AS attempted,
           sum(counter.accepted)::bigint             AS accepted,
           sum(counter.reportable)::bigint           AS reportable,
           sum(counter.arrived_reportable)::bigint   AS arrived_reportable,
           sum(counter.confirmed_unreported)::bigint AS confirmed_unreported,
           sum(counter.responded_reportable)::bigint AS responded_reportable
      FROM landfall.segment_counters($1, $2, $3, $4, $5) AS counter
     WHERE (counter.segment_id IN (SELECT segment_id FROM capable)) IS TRUE
       AND ($8 IS NULL AND $9 IS NULL
            OR (counter.campaign_id IN (SELECT campaign_id FROM landfall.campaign
                                         WHERE app_id = $1
                                           AND ($8 IS NULL OR key = ANY ($8)) AND ($9 IS NULL OR variant = ANY ($9)))) IS TRUE)
     GROUP BY 1, 2, 3, 4
), named AS (
    -- Full joins are never planned as nested loops, however few rows the planner expects; what has no counters is left out below.
    SELECT counted.*,
           CASE WHEN $6 THEN coalesce(campaign.key, '') END AS campaign,
           CASE WHEN $7 THEN coalesce(campaign.variant, '') END AS variant,
           segment.first_trait, segment.second_trait
      FROM counted
      FULL JOIN (SELECT campaign_id, key, variant
                   FROM landfall.campaign
                  WHERE app_id = $1 AND ($6 OR $7)) AS campaign ON campaign.campaign_id = counted.campaign_id
      FULL JOIN (SELECT segment_id,
                        landfall.segment_trait(segment, $10) AS first_trait,
                        landfall.segment_trait(segment, $11) AS second_trait
                   FROM landfall.segment
                  WHERE app_id = $1 AND $10 IS NOT NULL) AS segment ON segment.segment_id = counted.segment_id
    OFFSET 0
)
SELECT to_char(period, 'YYYY-MM-DD"T"HH24:MI:SS') AS period, utc_offset_minutes, campaign, variant, first_trait, second_trait,
       sum(accepted)::bigint             AS accepted,
       sum(reportable)::bigint           AS reportable,
       sum(arrived_reportable)::bigint   AS arrived_reportable,
       sum(confirmed_unreported)::bigint AS confirmed_unreported,
       sum(responded_reportable)::bigint AS responded_reportable
  FROM named
 WHERE attempted IS NOT NULL
 GROUP BY named.period, utc_offset_minutes, campaign, variant, first_trait, second_trait
HAVING sum(attempted) <> 0;

-- Why did no device confirm these accepted notifications, although an extension could have reported them?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive), both at quarter hours, $4 IANA time zone,
--             $5 unit of local time to break down by (hour, day, week, month; null: none), $6 break down by campaign,
--             $7 break down by variant, $8 campaigns and $9 variants to keep (null: all),
--             $10 and $11 traits of segment to break down by (null: none), $12 segments to keep (null: all),
--             $13 from this quarter hour on arrivals are still awaited, $14 permissions under which no alert is shown.
-- Grain: one row per local period, campaign, variant and trait, as far as they were asked for; those without any are missing.
-- A notification is in one row only, so the totals are the sum of the rows.
--
-- Each notification counts under the first reason that holds: not_capable (not one of reporting_version), permission_off,
-- pending, unexplained. Withdrawn ones, and those that nothing could report, are left out.

WITH target AS MATERIALIZED (
    SELECT segment.segment_id,
           landfall.segment_trait(segment, $10) AS first_trait,
           landfall.segment_trait(segment, $11) AS second_trait,
           reporting.app_id IS NOT NULL AS is_capable,
           segment.permission = ANY ($14) AS is_off
      FROM landfall.segment
      LEFT JOIN landfall.reporting_version AS reporting
        ON reporting.app_id = segment.app_id
       AND reporting.platform = segment.platform AND reporting.app_version = segment.app_version
     WHERE segment.app_id = $1
       AND ($12::bigint[] IS NULL OR segment.segment_id = ANY ($12))
), counted AS (
    -- Two questions with bounds that the planner knows: of one with bounds out of a table it would expect anything.
    SELECT counter.period, counter.utc_offset_minutes, counter.campaign_id, counter.segment_id, false AS is_young,
           counter.accepted - counter.confirmed - counter.unconfirmed_recalled - counter.unconfirmed_not_reportable AS unconfirmed
      FROM landfall.segment_counters($1, $2, least($3::timestamptz, $13::timestamptz), $4, $5) AS counter
    UNION ALL
    SELECT counter.period, counter.utc_offset_minutes, counter.campaign_id, counter.segment_id, true,
           counter.accepted - counter.confirmed - counter.unconfirmed_recalled - counter.unconfirmed_not_reportable
      FROM landfall.segment_counters($1, greatest($2::timestamptz, $13::timestamptz), $3, $4, $5) AS counter
), selected AS (
    -- Said so that the planner sees which of these are always null: it would expect a group for each combination, and sort.
    SELECT CASE WHEN $5 IS NOT NULL THEN counted.period END AS period,
           CASE WHEN $5 = 'hour' THEN counted.utc_offset_minutes END AS utc_offset_minutes,
           CASE WHEN $6 THEN coalesce(campaign.key, '') END AS campaign,
           CASE WHEN $7 THEN coalesce(campaign.variant, '') END AS variant,
           CASE WHEN $10 IS NOT NULL THEN target.first_trait END AS first_trait,
           CASE WHEN $11 IS NOT NULL THEN target.second_trait END AS second_trait,
           target.is_capable, target.is_off,
           counted.is_young, counted.unconfirmed
      FROM counted
      JOIN target ON target.segment_id = counted.segment_id
      LEFT JOIN landfall.campaign ON campaign.app_id = $1 AND campaign.campaign_id = counted.campaign_id
     WHERE ($8 IS NULL OR coalesce(campaign.key, '') = ANY ($8))
       AND ($9 IS NULL OR coalesce(campaign.variant, '') = ANY ($9))
)
SELECT to_char(period, 'YYYY-MM-DD"T"HH24:MI:SS') AS period, utc_offset_minutes, campaign, variant, first_trait, second_trait,
       coalesce(sum(unconfirmed) FILTER (WHERE NOT is_capable), 0)::bigint                                 AS not_capable,
       coalesce(sum(unconfirmed) FILTER (WHERE is_capable AND is_off), 0)::bigint                          AS permission_off,
       coalesce(sum(unconfirmed) FILTER (WHERE is_capable AND NOT is_off AND is_young), 0)::bigint         AS pending,
       coalesce(sum(unconfirmed) FILTER (WHERE is_capable AND NOT is_off AND NOT is_young), 0)::bigint     AS unexplained
  FROM selected
 GROUP BY selected.period, utc_offset_minutes, campaign, variant, first_trait, second_trait
HAVING sum(unconfirmed) <> 0;

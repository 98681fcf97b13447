-- Why did no device confirm these accepted notifications, although an extension could have reported them?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive), both at quarter hours, $4 IANA time zone,
--             $5 unit of local time to break down by (hour, day, week, month; null: none), $6 break down by campaign,
--             $7 break down by variant, $8 campaigns and $9 variants to keep (null: all),
--             $10 and $11 traits of segment to break down by (null: none), $12 segments to keep (null: all),
--             $13 from this quarter hour on arrivals are still awaited, $14 permissions under which no alert is shown,
--             bits of delivery.state: $15 all bits of an accepted, reportable notification, $16 any sign that the device had it
--             or that it was withdrawn.
-- Grain: one row per local period, campaign, variant and trait, as requested; only rows with any. A notification is in one row
-- only, so the totals are the sum of the rows.
--
-- Each notification counts under the first reason that holds: not_capable (its version is not in reporting_version),
-- permission_off, pending, unexplained. Withdrawn notifications, and those that no extension could report, are left out.

WITH capable AS MATERIALIZED (
    SELECT segment.segment_id, segment.permission = ANY ($14) AS is_off
      FROM landfall.segment
     WHERE segment.app_id = $1
       AND ($12::bigint[] IS NULL OR segment.segment_id = ANY ($12))
       AND ((segment.platform, segment.app_version)
            IN (SELECT platform, app_version FROM landfall.reporting_version WHERE app_id = $1)) IS TRUE
), counter AS (
    -- Two calls with bounds that the planner knows: for bounds from a table it could not estimate the number of rows.
    SELECT counter.period, counter.utc_offset_minutes, counter.campaign_id, counter.segment_id, false AS is_young,
           counter.state, counter.notifications
      FROM landfall.counters($1, $2, least($3::timestamptz, $13::timestamptz), $4, $5, true) AS counter
    UNION ALL
    SELECT counter.period, counter.utc_offset_minutes, counter.campaign_id, counter.segment_id, true,
           counter.state, counter.notifications
      FROM landfall.counters($1, greatest($2::timestamptz, $13::timestamptz), $3, $4, $5, true) AS counter
), counted AS (
    -- CASE shows the planner which of these are always null. Otherwise it would expect a group for each combination, and sort.
    SELECT CASE WHEN $5 IS NOT NULL THEN counter.period END AS period,
           CASE WHEN $5 = 'hour' THEN counter.utc_offset_minutes END AS utc_offset_minutes,
           CASE WHEN $6 OR $7 THEN counter.campaign_id END AS campaign_id,
           CASE WHEN $10 IS NOT NULL OR $11 IS NOT NULL THEN counter.segment_id END AS segment_id,
           (counter.segment_id IN (SELECT segment_id FROM capable)) IS TRUE AS is_capable,
           (counter.segment_id IN (SELECT segment_id FROM capable WHERE is_off)) IS TRUE AS is_off,
           counter.is_young,
           sum(counter.notifications)::bigint AS unconfirmed
      FROM counter
     WHERE counter.state & $15 = $15 AND counter.state & $16 = 0
       AND ($12::bigint[] IS NULL OR counter.segment_id = ANY ($12))
       AND ($8 IS NULL AND $9 IS NULL
            OR (counter.campaign_id IN (SELECT campaign_id FROM landfall.selected_campaigns($1, $8, $9))) IS TRUE)
     GROUP BY 1, 2, 3, 4, 5, 6, 7
), named AS (
    -- A full join is never a nested loop, however few rows the planner expects. Names without counters are dropped below.
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
       coalesce(sum(unconfirmed) FILTER (WHERE NOT is_capable), 0)::bigint                                 AS not_capable,
       coalesce(sum(unconfirmed) FILTER (WHERE is_capable AND is_off), 0)::bigint                          AS permission_off,
       coalesce(sum(unconfirmed) FILTER (WHERE is_capable AND NOT is_off AND is_young), 0)::bigint         AS pending,
       coalesce(sum(unconfirmed) FILTER (WHERE is_capable AND NOT is_off AND NOT is_young), 0)::bigint     AS unexplained
  FROM named
 WHERE unconfirmed IS NOT NULL
 GROUP BY named.period, utc_offset_minutes, campaign, variant, first_trait, second_trait
HAVING sum(unconfirmed) <> 0;

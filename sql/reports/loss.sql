-- Losses: accepted notifications that no device confirmed.

-- name: unconfirmed
-- Why did no device confirm these accepted notifications, although an extension could have reported them?
--
-- Parameters: $1 to $12 as in questions.sql, $13 from this quarter hour on arrivals are still awaited, $14
--             permissions under which no alert is shown, bits of delivery.state: $15 all bits of an accepted,
--             reportable notification, $16 any sign that the device had it or that it was withdrawn.
-- Grain: one row per local period, campaign, variant and trait, as requested; only rows with any. A
-- notification is in one row only, so the totals are the sum of the rows.
--
-- Each notification counts under the first reason that holds: not_capable (its version is not in
-- reporting_version), permission_off, pending, unexplained. Withdrawn notifications, and those that no
-- extension could report, are left out.

WITH capable AS MATERIALIZED (
    SELECT segment.segment_id, segment.permission = ANY ($14) AS is_off
      FROM landfall.segment
     WHERE segment.app_id = $1
       AND ($12::bigint[] IS NULL OR segment.segment_id = ANY ($12))
       AND ((segment.platform, segment.app_version)
            IN (SELECT platform, app_version FROM landfall.reporting_version WHERE app_id = $1)) IS TRUE
), counter AS (
    -- Two calls with bounds that the planner knows: for bounds from a table it cannot estimate the rows.
    SELECT counter.period, counter.utc_offset_minutes, counter.campaign_id, counter.segment_id, false AS is_young,
           counter.state, counter.notifications
      FROM ({{counters($1; $2; least($3::timestamptz, $13::timestamptz); $4; $5; true)}}) AS counter
    UNION ALL
    SELECT counter.period, counter.utc_offset_minutes, counter.campaign_id, counter.segment_id, true,
           counter.state, counter.notifications
      FROM ({{counters($1; greatest($2::timestamptz, $13::timestamptz); $3; $4; $5; true)}}) AS counter
), counted AS (
    -- CASE shows the planner which of these are always null. Otherwise it would expect a group for each
    -- combination, and sort.
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
       AND {{is_selected(counter.campaign_id; $1; $8; $9)}}
     GROUP BY 1, 2, 3, 4, 5, 6, 7
), named AS (
    {{named_counts}}
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

-- name: superseded
-- How many unconfirmed notifications did a later one replace before they arrived?
--
-- Parameters: $1 to $12 as in questions.sql, $13 from this quarter hour on arrivals are still awaited, $14
--             permissions under which no alert is shown, $15 end (exclusive) of the search for later ones,
--             bits of delivery.state: $16 all bits of an accepted, reportable notification, $17 any sign that
--             the device had it or that it was withdrawn, $18 accepted.
-- Grain: one row per local period, campaign, variant and trait, as requested; only rows with any. A
-- notification is in one row only, so the totals are the sum of the rows.
--
-- A notification is replaced if it was accepted for a version of the app that reports, with alerts allowed,
-- and a later accepted push with the same collapse id went to the same token or installation. It counts as
-- pending or unexplained in unconfirmed; this query returns how many of each were replaced. It is the only
-- query of the loss report that reads notifications.

WITH asked AS (
    SELECT DISTINCT collapse_id
      FROM landfall.delivery
     WHERE app_id = $1 AND sent_at >= $2 AND sent_at < $3
       AND state & $16 = $16 AND state & $17 = 0
       AND collapse_id IS NOT NULL
       AND ($12::bigint[] IS NULL OR segment_id = ANY ($12))
       AND {{is_selected(campaign_id; $1; $8; $9)}}
), found AS (
    -- A full join is never a nested loop, even if few rows are expected. Each row of asked is in delivery.
    SELECT delivery.sent_at, delivery.pushed_at, delivery.campaign_id, delivery.segment_id, delivery.token_id,
           delivery.installation_id, delivery.state, delivery.collapse_id, asked.collapse_id IS NOT NULL AS is_asked
      FROM (SELECT sent_at, sent_at + coalesce(sent_after_ms, 0) * interval '1 ms' AS pushed_at, campaign_id, segment_id,
                   token_id, installation_id, state, collapse_id
              FROM landfall.delivery
             WHERE app_id = $1
               AND sent_at >= $2 AND sent_at < $15
               AND state & $18 = $18
               AND collapse_id IS NOT NULL) AS delivery
      FULL JOIN asked ON asked.collapse_id = delivery.collapse_id
    OFFSET 0
), collapsing AS (
    SELECT sent_at, pushed_at, campaign_id, segment_id,
           sent_at < $3 AND state & $16 = $16 AND state & $17 = 0                             AS is_candidate,
           CASE WHEN token_id IS NOT NULL THEN max(pushed_at) OVER to_token END               AS last_to_token,
           CASE WHEN installation_id IS NOT NULL THEN max(pushed_at) OVER to_installation END AS last_to_installation
      FROM found
     WHERE is_asked
    WINDOW to_token AS (PARTITION BY collapse_id, token_id), to_installation AS (PARTITION BY collapse_id, installation_id)
), superseded AS (
    SELECT landfall.report_period(collapsing.sent_at, $4, $5) AS period,
           landfall.report_utc_offset(collapsing.sent_at, $4, $5) AS utc_offset_minutes,
           CASE WHEN $6 THEN campaign.key END AS campaign,
           CASE WHEN $7 THEN campaign.variant END AS variant,
           segment.first_trait, segment.second_trait,
           collapsing.sent_at >= $13 AS is_young
      FROM collapsing
     CROSS JOIN LATERAL (SELECT key, variant FROM landfall.campaign
                          WHERE campaign_id = collapsing.campaign_id
                            AND ($8 IS NULL OR key = ANY ($8))
                            AND ($9 IS NULL OR variant = ANY ($9))
                         OFFSET 0) AS campaign
     CROSS JOIN LATERAL (SELECT platform, app_version,
                                {{trait($10)}} AS first_trait,
                                {{trait($11)}} AS second_trait
                           FROM landfall.segment
                          WHERE segment_id = collapsing.segment_id
                            AND permission <> ALL ($14)
                         OFFSET 0) AS segment
     WHERE collapsing.is_candidate
       AND collapsing.pushed_at < greatest(collapsing.last_to_token, collapsing.last_to_installation)
       AND ($12::bigint[] IS NULL OR collapsing.segment_id = ANY ($12))
       AND ((segment.platform, segment.app_version)
            IN (SELECT platform, app_version FROM landfall.reporting_version WHERE app_id = $1)) IS TRUE
)
SELECT to_char(period, 'YYYY-MM-DD"T"HH24:MI:SS') AS period, utc_offset_minutes, campaign, variant, first_trait, second_trait,
       count(*) FILTER (WHERE is_young)     AS of_pending,
       count(*) FILTER (WHERE NOT is_young) AS of_unexplained
  FROM superseded
 GROUP BY superseded.period, utc_offset_minutes, campaign, variant, first_trait, second_trait;

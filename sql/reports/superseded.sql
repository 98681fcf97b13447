-- Which unconfirmed notifications of these campaigns did a later one replace on its way?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive), both at quarter hours, $4 IANA time zone,
--             $5 unit of local time to break down by (hour, day, week, month; null: none), $6 break down by campaign,
--             $7 break down by variant, $8 campaigns and $9 variants to keep (null: all),
--             $10 and $11 traits of segment to break down by (null: none), $12 segments to keep (null: all),
--             $13 from this quarter hour on arrivals are still awaited, $14 permissions under which no alert is shown,
--             $15 look for later ones up to here (exclusive),
--             bits of delivery.state: $16 all of an accepted one that an extension could report, $17 any sign that the device had
--             it or that it was withdrawn, $18 accepted.
-- Grain: one row per local period, campaign, variant and trait, as far as they were asked for; those without any are missing.
-- A notification is in one row only, so the totals are the sum of the rows.
--
-- Replaced is: accepted for a version of the app that reports, alerts allowed, and a later accepted push with the same collapse
-- id went to the same token or installation. They count as pending or unexplained in unconfirmed.sql; here is how many of each.
-- The only question of the loss report that reads notifications.

WITH candidate AS MATERIALIZED (
    SELECT delivery.sent_at, delivery.token_id, delivery.installation_id, delivery.collapse_id,
           campaign.key AS campaign, campaign.variant,
           landfall.segment_trait(segment, $10) AS first_trait,
           landfall.segment_trait(segment, $11) AS second_trait
      FROM landfall.delivery
      JOIN landfall.campaign ON campaign.app_id = delivery.app_id AND campaign.campaign_id = delivery.campaign_id
      JOIN landfall.segment ON segment.app_id = delivery.app_id AND segment.segment_id = delivery.segment_id
      JOIN landfall.reporting_version AS reporting
        ON reporting.app_id = segment.app_id
       AND reporting.platform = segment.platform AND reporting.app_version = segment.app_version
     WHERE delivery.app_id = $1
       AND delivery.sent_at >= $2 AND delivery.sent_at < $3
       AND delivery.state & $16 = $16 AND delivery.state & $17 = 0
       AND delivery.collapse_id IS NOT NULL
       AND ($8 IS NULL OR campaign.key = ANY ($8))
       AND ($9 IS NULL OR campaign.variant = ANY ($9))
       AND ($12::bigint[] IS NULL OR delivery.segment_id = ANY ($12))
       AND segment.permission <> ALL ($14)
), collapsing AS (
    SELECT delivery.sent_at, delivery.token_id, delivery.installation_id, delivery.collapse_id
      FROM landfall.delivery
     WHERE delivery.app_id = $1
       AND delivery.sent_at >= $2 AND delivery.sent_at < $15
       AND delivery.state & $18 = $18
       AND delivery.collapse_id IN (SELECT collapse_id FROM candidate)
), last_to_token AS (
    SELECT collapse_id, token_id, max(sent_at) AS sent_at
      FROM collapsing
     WHERE token_id IS NOT NULL
     GROUP BY collapse_id, token_id
), last_to_installation AS (
    SELECT collapse_id, installation_id, max(sent_at) AS sent_at
      FROM collapsing
     WHERE installation_id IS NOT NULL
     GROUP BY collapse_id, installation_id
), superseded AS (
    SELECT CASE WHEN $5 IS NOT NULL THEN date_trunc($5, candidate.sent_at AT TIME ZONE $4) END AS period,
           CASE WHEN $5 = 'hour'
                THEN extract(EPOCH FROM (candidate.sent_at AT TIME ZONE $4) - (candidate.sent_at AT TIME ZONE 'UTC'))::int / 60
           END AS utc_offset_minutes,
           CASE WHEN $6 THEN candidate.campaign END AS campaign,
           CASE WHEN $7 THEN candidate.variant END AS variant,
           candidate.first_trait, candidate.second_trait,
           candidate.sent_at >= $13 AS is_young
      FROM candidate
      LEFT JOIN last_to_token
             ON last_to_token.collapse_id = candidate.collapse_id AND last_to_token.token_id = candidate.token_id
      LEFT JOIN last_to_installation
             ON last_to_installation.collapse_id = candidate.collapse_id
            AND last_to_installation.installation_id = candidate.installation_id
     WHERE candidate.sent_at < greatest(last_to_token.sent_at, last_to_installation.sent_at)
)
SELECT to_char(period, 'YYYY-MM-DD"T"HH24:MI:SS') AS period, utc_offset_minutes, campaign, variant, first_trait, second_trait,
       count(*) FILTER (WHERE is_young)     AS of_pending,
       count(*) FILTER (WHERE NOT is_young) AS of_unexplained
  FROM superseded
 GROUP BY superseded.period, utc_offset_minutes, campaign, variant, first_trait, second_trait;

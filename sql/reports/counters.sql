-- What do the headline counters say?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive), both at quarter hours, $4 IANA time zone,
--             $5 unit of local time to break down by (hour, day, week, month; null: none), $6 break down by campaign,
--             $7 break down by variant, $8 campaigns and $9 variants to keep (null: all).
-- Grain: one row per local period, campaign and variant, as far as they were asked for; by time, then the largest first.
-- The totals are the same question with no breakdown.

WITH counted AS (
    SELECT CASE WHEN $5 IS NOT NULL THEN date_trunc($5, rollup.quarter AT TIME ZONE $4) END AS period,
           -- In the hour that autumn repeats, the offset from UTC is all that tells the two apart.
           CASE WHEN $5 = 'hour'
                THEN extract(EPOCH FROM (rollup.quarter AT TIME ZONE $4) - (rollup.quarter AT TIME ZONE 'UTC'))::int / 60
           END AS utc_offset_minutes,
           CASE WHEN $6 OR $7 THEN rollup.campaign_id END AS campaign_id,
           sum(rollup.attempted)::bigint                  AS attempted,
           sum(rollup.accepted)::bigint                   AS accepted,
           sum(rollup.rejected_token_dead)::bigint        AS rejected_token_dead,
           sum(rollup.rejected_token_suspect)::bigint     AS rejected_token_suspect,
           sum(rollup.rejected_wrong_topic)::bigint       AS rejected_wrong_topic,
           sum(rollup.rejected_wrong_environment)::bigint AS rejected_wrong_environment,
           sum(rollup.rejected_payload_error)::bigint     AS rejected_payload_error,
           sum(rollup.rejected_request_error)::bigint     AS rejected_request_error,
           sum(rollup.rejected_auth_error)::bigint        AS rejected_auth_error,
           sum(rollup.rejected_throttled)::bigint         AS rejected_throttled,
           sum(rollup.rejected_provider_error)::bigint    AS rejected_provider_error,
           sum(rollup.rejected_unknown)::bigint           AS rejected_unknown,
           sum(rollup.conflicting)::bigint                AS conflicting,
           sum(rollup.reportable)::bigint                 AS reportable,
           sum(rollup.arrived)::bigint                    AS arrived,
           sum(rollup.arrived_reportable)::bigint         AS arrived_reportable,
           sum(rollup.confirmed)::bigint                  AS confirmed,
           sum(rollup.presented)::bigint                  AS presented,
           sum(rollup.clicked)::bigint                    AS clicked,
           sum(rollup.dismissed)::bigint                  AS dismissed,
           sum(rollup.confirmed_unreported)::bigint       AS confirmed_unreported,
           sum(rollup.responded_reportable)::bigint       AS responded_reportable,
           sum(rollup.contradicted)::bigint               AS contradicted,
           sum(rollup.unconfirmed_recalled)::bigint       AS unconfirmed_recalled,
           sum(rollup.unconfirmed_not_reportable)::bigint AS unconfirmed_not_reportable
      FROM landfall.delivery_rollup AS rollup
     WHERE rollup.app_id = $1
       AND rollup.quarter >= $2 AND rollup.quarter < $3
       AND ($8 IS NULL AND $9 IS NULL
            OR (rollup.campaign_id IN (SELECT campaign_id FROM landfall.campaign
                                         WHERE app_id = $1
                                           AND ($8 IS NULL OR key = ANY ($8)) AND ($9 IS NULL OR variant = ANY ($9)))) IS TRUE)
     GROUP BY 1, 2, 3
), named AS (
    -- Full joins are never planned as nested loops, however few rows the planner expects; what has no counters is left out below.
    SELECT counted.*,
           CASE WHEN $6 THEN coalesce(campaign.key, '') END AS campaign,
           CASE WHEN $7 THEN coalesce(campaign.variant, '') END AS variant
      FROM counted
      FULL JOIN (SELECT campaign_id, key, variant
                   FROM landfall.campaign
                  WHERE app_id = $1 AND ($6 OR $7)) AS campaign ON campaign.campaign_id = counted.campaign_id
    OFFSET 0
), told AS (
    SELECT period, utc_offset_minutes, campaign, variant,
           sum(attempted)::bigint                  AS attempted,
           sum(accepted)::bigint                   AS accepted,
           sum(rejected_token_dead)::bigint        AS rejected_token_dead,
           sum(rejected_token_suspect)::bigint     AS rejected_token_suspect,
           sum(rejected_wrong_topic)::bigint       AS rejected_wrong_topic,
           sum(rejected_wrong_environment)::bigint AS rejected_wrong_environment,
           sum(rejected_payload_error)::bigint     AS rejected_payload_error,
           sum(rejected_request_error)::bigint     AS rejected_request_error,
           sum(rejected_auth_error)::bigint        AS rejected_auth_error,
           sum(rejected_throttled)::bigint         AS rejected_throttled,
           sum(rejected_provider_error)::bigint    AS rejected_provider_error,
           sum(rejected_unknown)::bigint           AS rejected_unknown,
           sum(conflicting)::bigint                AS conflicting,
           sum(reportable)::bigint                 AS reportable,
           sum(arrived)::bigint                    AS arrived,
           sum(arrived_reportable)::bigint         AS arrived_reportable,
           sum(confirmed)::bigint                  AS confirmed,
           sum(presented)::bigint                  AS presented,
           sum(clicked)::bigint                    AS clicked,
           sum(dismissed)::bigint                  AS dismissed,
           sum(confirmed_unreported)::bigint       AS confirmed_unreported,
           sum(responded_reportable)::bigint       AS responded_reportable,
           sum(contradicted)::bigint               AS contradicted,
           sum(unconfirmed_recalled)::bigint       AS unconfirmed_recalled,
           sum(unconfirmed_not_reportable)::bigint AS unconfirmed_not_reportable
      FROM named
     WHERE attempted IS NOT NULL
     GROUP BY period, utc_offset_minutes, campaign, variant
)
SELECT to_char(period, 'YYYY-MM-DD"T"HH24:MI:SS') AS period, utc_offset_minutes, campaign, variant,
       attempted, accepted, rejected_token_dead, rejected_token_suspect, rejected_wrong_topic,
       rejected_wrong_environment, rejected_payload_error, rejected_request_error, rejected_auth_error,
       rejected_throttled, rejected_provider_error, rejected_unknown, conflicting, reportable, arrived,
       arrived_reportable, confirmed, presented, clicked, dismissed, confirmed_unreported,
       responded_reportable, contradicted, unconfirmed_recalled, unconfirmed_not_reportable
  FROM told
 ORDER BY told.period, utc_offset_minutes DESC, attempted DESC, campaign, variant;

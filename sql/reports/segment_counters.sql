-- What do the counters by segment say, of whatever is known about push and target?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive), both at quarter hours, $4 IANA time zone,
--             $5 unit of local time to break down by (hour, day, week, month; null: none), $6 break down by campaign,
--             $7 break down by variant, $8 campaigns and $9 variants to keep (null: all),
--             $10 and $11 traits of segment to break down by (null: none), $12 segments to keep (null: all).
-- Grain: one row per local period, campaign, variant and trait, as far as they were asked for; by time, then the largest first.
-- The totals are the same question with no breakdown.

WITH counted AS (
    -- Said so that the planner sees which of these are always null: it would expect a group for each combination, and sort.
    SELECT CASE WHEN $5 IS NOT NULL THEN counter.period END AS period,
           CASE WHEN $5 = 'hour' THEN counter.utc_offset_minutes END AS utc_offset_minutes,
           CASE WHEN $6 OR $7 THEN counter.campaign_id END AS campaign_id,
           CASE WHEN $10 IS NOT NULL OR $11 IS NOT NULL THEN counter.segment_id END AS segment_id,
           sum(counter.attempted)::bigint                  AS attempted,
           sum(counter.accepted)::bigint                   AS accepted,
           sum(counter.rejected_token_dead)::bigint        AS rejected_token_dead,
           sum(counter.rejected_token_suspect)::bigint     AS rejected_token_suspect,
           sum(counter.rejected_wrong_topic)::bigint       AS rejected_wrong_topic,
           sum(counter.rejected_wrong_environment)::bigint AS rejected_wrong_environment,
           sum(counter.rejected_payload_error)::bigint     AS rejected_payload_error,
           sum(counter.rejected_request_error)::bigint     AS rejected_request_error,
           sum(counter.rejected_auth_error)::bigint        AS rejected_auth_error,
           sum(counter.rejected_throttled)::bigint         AS rejected_throttled,
           sum(counter.rejected_provider_error)::bigint    AS rejected_provider_error,
           sum(counter.rejected_unknown)::bigint           AS rejected_unknown,
           sum(counter.conflicting)::bigint                AS conflicting,
           sum(counter.reportable)::bigint                 AS reportable,
           sum(counter.arrived)::bigint                    AS arrived,
           sum(counter.arrived_reportable)::bigint         AS arrived_reportable,
           sum(counter.confirmed)::bigint                  AS confirmed,
           sum(counter.presented)::bigint                  AS presented,
           sum(counter.clicked)::bigint                    AS clicked,
           sum(counter.dismissed)::bigint                  AS dismissed,
           sum(counter.confirmed_unreported)::bigint       AS confirmed_unreported,
           sum(counter.responded_reportable)::bigint       AS responded_reportable,
           sum(counter.contradicted)::bigint               AS contradicted,
           sum(counter.unconfirmed_recalled)::bigint       AS unconfirmed_recalled,
           sum(counter.unconfirmed_not_reportable)::bigint AS unconfirmed_not_reportable
      FROM landfall.segment_counters($1, $2, $3, $4, $5) AS counter
     WHERE ($12::bigint[] IS NULL OR counter.segment_id = ANY ($12))
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
), told AS (
    SELECT period, utc_offset_minutes, campaign, variant, first_trait, second_trait,
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
     GROUP BY period, utc_offset_minutes, campaign, variant, first_trait, second_trait
    HAVING sum(attempted) <> 0
)
SELECT to_char(period, 'YYYY-MM-DD"T"HH24:MI:SS') AS period, utc_offset_minutes, campaign, variant, first_trait, second_trait,
       attempted, accepted, rejected_token_dead, rejected_token_suspect, rejected_wrong_topic,
       rejected_wrong_environment, rejected_payload_error, rejected_request_error, rejected_auth_error,
       rejected_throttled, rejected_provider_error, rejected_unknown, conflicting, reportable, arrived,
       arrived_reportable, confirmed, presented, clicked, dismissed, confirmed_unreported,
       responded_reportable, contradicted, unconfirmed_recalled, unconfirmed_not_reportable
  FROM told
 ORDER BY told.period, utc_offset_minutes DESC, attempted DESC, campaign, variant, first_trait, second_trait;

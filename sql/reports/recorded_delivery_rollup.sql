-- What do the headline counters say?
--
-- Parameters: $1 from (inclusive) and $2 to (exclusive), both at quarter hours,
--             $3 app, or null for all.
-- Grain: one row per app, quarter hour and campaign, summed over slots. The measures stand in the
-- order in which Measure lists them.

SELECT app_id, quarter, campaign_id,
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
  FROM landfall.delivery_rollup
 WHERE quarter >= $1 AND quarter < $2
   AND ($3::bigint IS NULL OR app_id = $3)
 GROUP BY app_id, quarter, campaign_id;

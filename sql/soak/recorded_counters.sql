-- What do the headline counters of these apps say, summed over writers? One row per app, quarter and campaign.
-- $1 app_id[]
SELECT counter.app_id,
       counter.quarter,
       campaign.key AS campaign,
       campaign.variant,
       sum(counter.attempted)::bigint AS attempted,
       sum(counter.accepted)::bigint AS accepted,
       sum(counter.rejected_token_dead)::bigint AS rejected_token_dead,
       sum(counter.rejected_token_suspect)::bigint AS rejected_token_suspect,
       sum(counter.rejected_wrong_topic)::bigint AS rejected_wrong_topic,
       sum(counter.rejected_wrong_environment)::bigint AS rejected_wrong_environment,
       sum(counter.rejected_payload_error)::bigint AS rejected_payload_error,
       sum(counter.rejected_request_error)::bigint AS rejected_request_error,
       sum(counter.rejected_auth_error)::bigint AS rejected_auth_error,
       sum(counter.rejected_throttled)::bigint AS rejected_throttled,
       sum(counter.rejected_provider_error)::bigint AS rejected_provider_error,
       sum(counter.rejected_unknown)::bigint AS rejected_unknown,
       sum(counter.conflicting)::bigint AS conflicting,
       sum(counter.reportable)::bigint AS reportable,
       sum(counter.arrived)::bigint AS arrived,
       sum(counter.arrived_reportable)::bigint AS arrived_reportable,
       sum(counter.confirmed)::bigint AS confirmed,
       sum(counter.presented)::bigint AS presented,
       sum(counter.clicked)::bigint AS clicked,
       sum(counter.dismissed)::bigint AS dismissed,
       sum(counter.confirmed_unreported)::bigint AS confirmed_unreported,
       sum(counter.responded_reportable)::bigint AS responded_reportable,
       sum(counter.contradicted)::bigint AS contradicted,
       sum(counter.unconfirmed_recalled)::bigint AS unconfirmed_recalled,
       sum(counter.unconfirmed_not_reportable)::bigint AS unconfirmed_not_reportable
  FROM landfall.delivery_rollup AS counter
  JOIN landfall.campaign ON campaign.campaign_id = counter.campaign_id
 WHERE counter.app_id = ANY ($1::bigint[])
 GROUP BY counter.app_id, counter.quarter, campaign.key, campaign.variant;

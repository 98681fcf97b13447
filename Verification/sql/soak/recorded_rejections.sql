-- By which responses were notifications of these apps rejected, summed over writers? One row per app, quarter
-- hour, campaign, app version and response.
-- $1 app_id[]
SELECT counter.app_id,
       counter.quarter,
       campaign.key AS campaign,
       campaign.variant,
       segment.app_version,
       provider_response.provider,
       provider_response.status::bigint AS status,
       provider_response.reason,
       sum(counter.notifications)::bigint AS rejected
  FROM landfall.counter_by_quarter AS counter
  JOIN landfall.campaign ON campaign.campaign_id = counter.campaign_id
  JOIN landfall.segment ON segment.segment_id = counter.segment_id
  JOIN landfall.provider_response ON provider_response.response_id = counter.response_id
 WHERE counter.app_id = ANY ($1::bigint[])
 GROUP BY counter.app_id, counter.quarter, campaign.key, campaign.variant, segment.app_version, provider_response.provider,
          provider_response.status, provider_response.reason;

-- How long did notifications of these apps take, summed over writers? One row per app, quarter hour,
-- campaign, stage and bucket.
-- $1 app_id[]
SELECT counter.app_id,
       counter.quarter,
       campaign.key AS campaign,
       campaign.variant,
       counter.stage,
       latency_bucket.from_ms,
       sum(counter.notifications)::bigint AS notifications
  FROM landfall.latency_rollup AS counter
  JOIN landfall.latency_bucket USING (bucket)
  JOIN landfall.campaign ON campaign.campaign_id = counter.campaign_id
 WHERE counter.app_id = ANY ($1::bigint[])
 GROUP BY counter.app_id, counter.quarter, campaign.key, campaign.variant, counter.stage, latency_bucket.from_ms;

-- How many notifications of these apps count in each measure? One row per app, quarter hour, campaign and
-- measure.
-- $1 app_id[]
SELECT counter.app_id, counter.quarter, campaign.key AS campaign, campaign.variant, counted.name,
       sum(counter.notifications)::bigint AS notifications
  FROM landfall.headline_by_quarter AS counter
  JOIN landfall.campaign ON campaign.campaign_id = counter.campaign_id
 CROSS JOIN LATERAL landfall.measures(counter.state) AS measure
 CROSS JOIN LATERAL jsonb_each(to_jsonb(measure)) AS counted (name, counts)
 WHERE counter.app_id = ANY ($1::bigint[])
   AND counted.counts = 'true'
 GROUP BY counter.app_id, counter.quarter, campaign.key, campaign.variant, counted.name
HAVING sum(counter.notifications) <> 0;

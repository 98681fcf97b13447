-- Which alerts were accepted that no extension could report, because their sender did not set mutable-content?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive), both at quarter hours.
-- Grain: one row per campaign and topic; the empty campaign is: without one.

SELECT coalesce(campaign.key, '')       AS campaign,
       segment.topic,
       sum(rollup.accepted)::bigint     AS accepted,
       sum(rollup.reportable)::bigint   AS reportable
  FROM landfall.segment_rollup AS rollup
  JOIN landfall.segment ON segment.app_id = rollup.app_id AND segment.segment_id = rollup.segment_id
  LEFT JOIN landfall.campaign ON campaign.app_id = rollup.app_id AND campaign.campaign_id = rollup.campaign_id
 WHERE rollup.app_id = $1
   AND rollup.quarter >= $2 AND rollup.quarter < $3
   AND segment.push_type = 'alert'
 GROUP BY coalesce(campaign.key, ''), segment.topic
HAVING sum(rollup.accepted) > 0
 ORDER BY accepted DESC, campaign, segment.topic;

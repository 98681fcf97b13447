-- Which alerts were accepted that no extension could report, because their sender did not set mutable-content?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive), both at quarter hours.
-- Grain: one row per campaign and topic; the empty campaign is: without one.

WITH counted AS (
    SELECT campaign_id, segment_id, sum(accepted)::bigint AS accepted, sum(reportable)::bigint AS reportable
      FROM landfall.segment_rollup
     WHERE app_id = $1
       AND quarter >= $2 AND quarter < $3
     GROUP BY 1, 2
)
SELECT coalesce(campaign.key, '')       AS campaign,
       segment.topic,
       sum(counted.accepted)::bigint    AS accepted,
       sum(counted.reportable)::bigint  AS reportable
  FROM counted
 CROSS JOIN LATERAL (SELECT topic
                       FROM landfall.segment
                      WHERE segment_id = counted.segment_id AND push_type = 'alert'
                     OFFSET 0) AS segment
  LEFT JOIN LATERAL (SELECT key FROM landfall.campaign WHERE campaign_id = counted.campaign_id OFFSET 0) AS campaign ON true
 GROUP BY coalesce(campaign.key, ''), segment.topic
HAVING sum(counted.accepted) > 0
 ORDER BY accepted DESC, campaign, segment.topic;

-- Which accepted alerts could no extension report, because their sender did not set mutable-content?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive), both at quarter hours.
-- Grain: one row per campaign and topic. The campaign is empty for alerts without one.

WITH counted AS (
    SELECT campaign_id, segment_id,
           coalesce(sum(notifications) FILTER (WHERE measure.accepted), 0)::bigint   AS accepted,
           coalesce(sum(notifications) FILTER (WHERE measure.reportable), 0)::bigint AS reportable
      FROM landfall.counter_by_quarter AS counter
     CROSS JOIN LATERAL landfall.measures(counter.state) AS measure
     WHERE app_id = $1
       AND quarter >= $2 AND quarter < $3
     GROUP BY 1, 2
), named AS (
    -- A full join is never a nested loop, however few rows the planner expects. Names without counters are dropped below.
    SELECT campaign.key AS campaign, segment.topic, counted.accepted, counted.reportable
      FROM counted
      FULL JOIN (SELECT campaign_id, key
                   FROM landfall.campaign
                  WHERE app_id = $1) AS campaign ON campaign.campaign_id = counted.campaign_id
      FULL JOIN (SELECT segment_id, topic
                   FROM landfall.segment
                  WHERE app_id = $1 AND push_type = 'alert') AS segment ON segment.segment_id = counted.segment_id
    OFFSET 0
)
SELECT coalesce(campaign, '')   AS campaign,
       topic,
       sum(accepted)::bigint    AS accepted,
       sum(reportable)::bigint  AS reportable
  FROM named
 WHERE accepted IS NOT NULL AND topic IS NOT NULL
 GROUP BY coalesce(campaign, ''), topic
HAVING sum(accepted) > 0
 ORDER BY sum(accepted) DESC, 1, topic;

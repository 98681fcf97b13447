-- How many notifications are in which state, according to the counters?
--
-- Parameters: $1 from (inclusive) and $2 to (exclusive), both at quarter hours,
--             $3 app, or null for all.
-- Grain: one row per app, quarter hour, campaign, segment, response and state.

SELECT app_id, quarter, campaign_id, segment_id, response_id, state, sum(notifications)::bigint AS notifications
  FROM landfall.counter_by_quarter
 WHERE quarter >= $1 AND quarter < $2
   AND ($3::bigint IS NULL OR app_id = $3)
 GROUP BY app_id, quarter, campaign_id, segment_id, response_id, state;

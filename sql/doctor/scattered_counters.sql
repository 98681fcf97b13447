-- Over how many states and campaigns are the notifications of each hour scattered?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive), both at quarter hours.
-- Grain: one row per hour (UTC) of sending with a notification that has a response.

WITH counted AS (
    SELECT date_trunc('hour', quarter, 'UTC') AS hour, campaign_id, state, sum(notifications)::bigint AS notifications
      FROM landfall.headline_by_quarter
     WHERE app_id = $1 AND quarter >= $2 AND quarter < $3
       AND campaign_id <> 0
     GROUP BY 1, 2, 3
    HAVING sum(notifications) <> 0
)
SELECT hour,
       count(DISTINCT state)       AS states,
       count(DISTINCT campaign_id) AS campaigns,
       sum(notifications)::bigint  AS notifications
  FROM counted
 GROUP BY hour
 ORDER BY hour;

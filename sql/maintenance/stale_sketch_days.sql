-- Which UTC days have quarter hours whose sketches are missing or no longer agree with the counters?
-- $1 quarters that began before this instant, $2 limit on the days.
-- Grain: one row per app and day, the latest first. Days whose notifications were dropped are left out: there is nothing to
-- sketch.
WITH counted AS (
    SELECT app_id, quarter, campaign_id,
           sum(notifications)::bigint                                               AS attempted,
           coalesce(sum(notifications) FILTER (WHERE measure.confirmed), 0)::bigint AS confirmed,
           coalesce(sum(notifications) FILTER (WHERE measure.clicked), 0)::bigint   AS clicked
      FROM landfall.headline_by_quarter AS counter
     CROSS JOIN LATERAL landfall.measures(counter.state) AS measure
     WHERE measure.attempted
       AND quarter < $1
       AND quarter >= coalesce((SELECT kept_from FROM landfall.retention), '-infinity')
     GROUP BY app_id, quarter, campaign_id
    HAVING sum(notifications) > 0
)
SELECT counted.app_id, date_trunc('day', counted.quarter, 'UTC') AS day
  FROM counted
  LEFT JOIN landfall.reach_sketch AS sketch
         ON sketch.app_id = counted.app_id AND sketch.quarters = 1 AND sketch.starts_at = counted.quarter
        AND sketch.campaign_id = counted.campaign_id AND sketch.attempted = counted.attempted
        AND sketch.confirmed = counted.confirmed AND sketch.clicked = counted.clicked
 WHERE sketch.app_id IS NULL
 GROUP BY counted.app_id, day
 ORDER BY day DESC, counted.app_id
 LIMIT $2;

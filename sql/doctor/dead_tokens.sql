-- How many pushes were rejected because their token is dead, and how many were clicked, recently and in the week before?
--
-- Parameters: $1 app, $2 start (inclusive) of the week before, $3 start (inclusive) and $4 end (exclusive) of the recent window,
-- all at quarter hours.
-- Grain: one row per platform and app version.

WITH counted AS (
    SELECT segment_id, quarter >= $3 AS is_late,
           coalesce(sum(notifications) FILTER (WHERE measure.attempted), 0)::bigint           AS attempted,
           coalesce(sum(notifications) FILTER (WHERE measure.rejected_token_dead), 0)::bigint AS dead,
           coalesce(sum(notifications) FILTER (WHERE measure.confirmed), 0)::bigint           AS confirmed,
           coalesce(sum(notifications) FILTER (WHERE measure.clicked), 0)::bigint             AS clicked
      FROM landfall.counter_by_quarter AS counter
     CROSS JOIN LATERAL landfall.measures(counter.state) AS measure
     WHERE app_id = $1
       AND quarter >= $2 AND quarter < $4
     GROUP BY 1, 2
)
SELECT segment.platform, segment.app_version,
       coalesce(sum(attempted) FILTER (WHERE is_late), 0)::bigint     AS attempted,
       coalesce(sum(dead) FILTER (WHERE is_late), 0)::bigint          AS dead,
       coalesce(sum(confirmed) FILTER (WHERE is_late), 0)::bigint     AS confirmed,
       coalesce(sum(clicked) FILTER (WHERE is_late), 0)::bigint       AS clicked,
       coalesce(sum(attempted) FILTER (WHERE NOT is_late), 0)::bigint AS attempted_before,
       coalesce(sum(dead) FILTER (WHERE NOT is_late), 0)::bigint      AS dead_before,
       coalesce(sum(confirmed) FILTER (WHERE NOT is_late), 0)::bigint AS confirmed_before,
       coalesce(sum(clicked) FILTER (WHERE NOT is_late), 0)::bigint   AS clicked_before
  FROM counted
 CROSS JOIN LATERAL (SELECT platform, app_version
                       FROM landfall.segment
                      WHERE segment_id = counted.segment_id
                     OFFSET 0) AS segment
 GROUP BY segment.platform, segment.app_version
HAVING sum(counted.attempted) > 0
 ORDER BY attempted DESC, segment.platform, segment.app_version;

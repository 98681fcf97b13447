-- How much was sent in each quarter hour, and how far did it get?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive), both at quarter hours.
-- Grain: one row per quarter hour of sent_at with an attempted notification, in order of time.

SELECT counter.quarter,
       sum(counter.notifications)::bigint                                               AS attempted,
       coalesce(sum(counter.notifications) FILTER (WHERE measure.accepted), 0)::bigint  AS accepted,
       coalesce(sum(counter.notifications) FILTER (WHERE measure.confirmed), 0)::bigint AS confirmed,
       coalesce(sum(counter.notifications) FILTER (WHERE measure.clicked), 0)::bigint   AS clicked
  FROM landfall.headline_by_quarter AS counter
 CROSS JOIN LATERAL landfall.measures(counter.state) AS measure
 WHERE counter.app_id = $1
   AND counter.quarter >= $2 AND counter.quarter < $3
   AND measure.attempted
 GROUP BY counter.quarter
HAVING sum(counter.notifications) <> 0
 ORDER BY counter.quarter;

-- The day at a glance.

-- name: last_quarter
-- When was the last notification with a recorded response sent?
--
-- Parameters: $1 app.
-- Grain: one row, the start of its quarter hour; null if there is none. Read from the end of an index.

SELECT greatest((SELECT max(starts_at)
                   FROM landfall.counter
                  WHERE grain = 'headline_quarter' AND app_id = $1 AND campaign_id <> 0),
                (SELECT max(quarter)
                   FROM landfall.counter_live
                  WHERE app_id = $1 AND campaign_id <> 0)) AS last_quarter;

-- name: quarters
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

-- name: received_items
-- How many items were received since an hour, by verdict?
--
-- Parameters: $1 app, $2 the first hour (of receipt).
-- Grain: one row. The difference of two calls is what came in between.

SELECT coalesce(sum(received), 0)::bigint AS received, coalesce(sum(accepted), 0)::bigint AS accepted,
       coalesce(sum(duplicates), 0)::bigint AS duplicates, coalesce(sum(rejected), 0)::bigint AS rejected
  FROM landfall.intake_rollup
 WHERE app_id = $1 AND hour >= $2;

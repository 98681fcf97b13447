-- How many items of these apps were received, by verdict, according to the counters? One row per app.
-- $1 app_id[]
SELECT app_id, sum(received)::bigint AS received, sum(accepted)::bigint AS accepted,
       sum(duplicates)::bigint AS duplicates, sum(rejected)::bigint AS rejected
  FROM landfall.intake_rollup
 WHERE app_id = ANY ($1::bigint[])
 GROUP BY app_id;

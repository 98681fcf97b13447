-- How many notifications of these apps wait for an answer, by the counters? One row per app and quarter.
-- $1 app_id[]
SELECT app_id, quarter, sum(unmatched)::bigint AS unmatched, sum(local)::bigint AS local
  FROM landfall.unmatched_rollup
 WHERE app_id = ANY ($1::bigint[])
 GROUP BY app_id, quarter;

-- What do the counters of notifications without a provider answer say?
--
-- Parameters: $1 from (inclusive) and $2 to (exclusive), both at quarter hours,
--             $3 app, or null for all.
-- Grain: one row per app and quarter hour, summed over slots. The measures stand in the order in which
-- UnmatchedMeasure lists them.

SELECT app_id, quarter,
       sum(unmatched)::bigint AS unmatched,
       sum(local)::bigint     AS local
  FROM landfall.unmatched_rollup
 WHERE quarter >= $1 AND quarter < $2
   AND ($3::bigint IS NULL OR app_id = $3)
 GROUP BY app_id, quarter;

-- What do the counters of notifications without a provider answer say?
--
-- Parameters: $1 from (inclusive) and $2 to (exclusive), both at quarter hours.
-- Grain: one row per app and quarter hour, of all apps, summed over slots. The measures stand in the order in which
-- UnmatchedMeasure lists them.

SELECT app_id, quarter,
       sum(unmatched)::bigint AS unmatched,
       sum(local)::bigint     AS local
  FROM landfall.unmatched_rollup
 WHERE quarter >= $1 AND quarter < $2
 GROUP BY app_id, quarter;

-- What do the counters of reporting versions say?
--
-- Parameters: $1 from (inclusive) and $2 to (exclusive), both at midnight UTC, $3 app, or null for all.
-- Grain: one row per app, UTC day, platform and app version, summed over shards.

SELECT app_id, day, platform, app_version,
       sum(reportable)::bigint      AS reportable,
       sum(arrived_named)::bigint   AS arrived_named,
       sum(arrived_unnamed)::bigint AS arrived_unnamed
  FROM landfall.version_rollup
 WHERE day >= $1 AND day < $2
   AND ($3::bigint IS NULL OR app_id = $3)
 GROUP BY app_id, day, platform, app_version;

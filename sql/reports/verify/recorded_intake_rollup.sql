-- How many items were received, by verdict?
--
-- Grain: one row per app and hour (of receipt, UTC), for all apps, summed over shards.
SELECT app_id, hour,
       sum(received)::bigint   AS received,
       sum(accepted)::bigint   AS accepted,
       sum(duplicates)::bigint AS duplicates,
       sum(rejected)::bigint   AS rejected
  FROM landfall.intake_rollup
 GROUP BY app_id, hour
 ORDER BY app_id, hour;

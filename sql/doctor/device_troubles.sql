-- What trouble of their own did devices report?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive) of receipt, both at quarter hours.
-- Grain: one row per trouble, app version and kit version, the most events first. `received` counts all items that came in during
-- these hours, or a little before.

SELECT trouble, app_version, kit, sum(events)::bigint AS events,
       (SELECT coalesce(sum(received), 0)::bigint
          FROM landfall.intake_rollup
         WHERE app_id = $1 AND hour >= date_trunc('hour', $2::timestamptz, 'UTC') AND hour < $3) AS received
  FROM landfall.device_trouble
 WHERE app_id = $1
   AND quarter >= $2
   AND quarter < $3
 GROUP BY trouble, app_version, kit
 ORDER BY events DESC, trouble, app_version, kit;

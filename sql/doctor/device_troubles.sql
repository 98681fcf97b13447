-- What trouble of their own did devices report?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive) of receipt, both at quarter hours.
-- Grain: one row per trouble and the current app version and kit version of the devices' installations, the most events first. At
-- most 1,000 events per device count. `largest` is the largest number of events from one device. `received` counts all items that
-- came in during these hours, or a little before.
WITH reported AS (
    SELECT trouble, reporter_id, least(sum(events), 1000)::bigint AS events
      FROM landfall.device_trouble
     WHERE app_id = $1
       AND quarter >= $2
       AND quarter < $3
     GROUP BY trouble, reporter_id
)
SELECT reported.trouble, coalesce(installation.app_version, '') AS app_version, coalesce(installation.kit, '') AS kit,
       sum(reported.events)::bigint AS events, count(*) AS devices, max(reported.events) AS largest,
       (SELECT coalesce(sum(received), 0)::bigint
          FROM landfall.intake_rollup
         WHERE app_id = $1 AND hour >= date_trunc('hour', $2::timestamptz, 'UTC') AND hour < $3) AS received
  FROM reported
  LEFT JOIN LATERAL (
           SELECT known.app_version, known.kit
             FROM landfall.installation AS known
            WHERE known.installation_id = reported.reporter_id
           OFFSET 0
       ) AS installation ON true
 GROUP BY 1, 2, 3
 ORDER BY events DESC, 1, 2, 3;

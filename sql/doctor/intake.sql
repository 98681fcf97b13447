-- Diagnoses of posts: rejected items, ids used twice, trouble that devices report, use of quotas.

-- name: rejected_items
-- Which items were rejected when they came in, and why?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive) of receipt, both at whole hours. Grain: one
-- row per code, the most frequent first; one row without a code if the quarantine has none. `received` and
-- `rejected` count all items of the app: an item that is posted again is rejected again, but kept once.

WITH intake AS (
    SELECT coalesce(sum(received), 0)::bigint AS received, coalesce(sum(rejected), 0)::bigint AS rejected
      FROM landfall.intake_rollup
     WHERE app_id = $1 AND hour >= $2 AND hour < $3
), kept AS (
    SELECT code, count(*) AS items, count(*) FILTER (WHERE poster = 'device') AS device_items
      FROM landfall.quarantined_item
     WHERE app_id = $1 AND received_at >= $2 AND received_at < $3
     GROUP BY code
)
SELECT received, rejected, code, items, device_items
  FROM intake
  LEFT JOIN kept ON true
 ORDER BY items DESC, code;

-- name: reused_ids
-- How many responses had a notification_id that a push to another device has, and which ids, for example?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive) of receipt, both at whole hours.
-- Grain: one row. `since` and `last_hour` are the first and the last hour with such a response, null if there
-- is none; `examples` are up to three notifications, the latest first.
SELECT coalesce(sum(received), 0)::bigint AS received, coalesce(sum(reused_ids), 0)::bigint AS reused,
       min(hour) FILTER (WHERE reused_ids > 0) AS since, max(hour) FILTER (WHERE reused_ids > 0) AS last_hour,
       ARRAY(SELECT reused_id
               FROM landfall.intake_rollup
              WHERE app_id = $1 AND hour >= $2 AND hour < $3 AND reused_id IS NOT NULL
              GROUP BY reused_id
              ORDER BY max(hour) DESC, reused_id
              LIMIT 3) AS examples
  FROM landfall.intake_rollup
 WHERE app_id = $1 AND hour >= $2 AND hour < $3;

-- name: device_troubles
-- What trouble of their own did devices report?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive) of receipt, both at quarter hours. Grain: one
-- row per trouble and the current app version and kit version of the devices' installations, the most events
-- first. At most 1,000 events per device count. `largest` is the largest number of events from one device.
-- `received` counts all items that came in during these hours, or a little before.
WITH reported AS (
    SELECT trouble, reporter_id, least(sum(events), 1000)::bigint AS events
      FROM landfall.device_trouble
     WHERE app_id = $1 AND quarter >= $2 AND quarter < $3
     GROUP BY trouble, reporter_id
)
SELECT reported.trouble, coalesce(installation.app_version, '') AS app_version, coalesce(installation.kit, '') AS kit,
       sum(reported.events)::bigint AS events, count(*) AS devices, max(reported.events) AS largest,
       (SELECT coalesce(sum(received), 0)::bigint
          FROM landfall.intake_rollup
         WHERE app_id = $1 AND hour >= date_trunc('hour', $2::timestamptz, 'UTC') AND hour < $3) AS received
  FROM reported
  LEFT JOIN LATERAL (SELECT app_version, kit
                       FROM landfall.installation
                      WHERE installation_id = reported.reporter_id
                     OFFSET 0) AS installation ON true
 GROUP BY 1, 2, 3
 ORDER BY events DESC, 1, 2, 3;

-- name: quota_use
-- What did requests with device keys use of the app's hourly quotas, and what was beyond them?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive), both at whole hours.
-- Grain: one row. `hours` counts those with rejections.
SELECT coalesce(sum(unmatched_events), 0)::bigint       AS unmatched_events,
       coalesce(sum(new_installations), 0)::bigint      AS new_installations,
       coalesce(sum(rejected_events), 0)::bigint        AS rejected_events,
       coalesce(sum(rejected_installations), 0)::bigint AS rejected_installations,
       coalesce(sum(rejected_values), 0)::bigint        AS rejected_values,
       count(*) FILTER (WHERE rejected_events + rejected_installations + rejected_values > 0) AS hours
  FROM landfall.device_quota_use
 WHERE app_id = $1 AND hour >= $2 AND hour < $3;

-- Verification of the counters of reporting versions.

-- name: recorded_version_rollup
-- What do the counters of reporting versions say?
--
-- Parameters: $1 from (inclusive) and $2 to (exclusive), both at midnight UTC, $3 app, or null for all.
-- Grain: one row per app, UTC day, platform and app version, summed over shards.

SELECT app_id, day, platform, app_version, sum(reportable)::bigint AS reportable,
       sum(arrived_named)::bigint AS arrived_named, sum(arrived_unnamed)::bigint AS arrived_unnamed
  FROM landfall.version_rollup
 WHERE day >= $1 AND day < $2
   AND ($3::bigint IS NULL OR app_id = $3)
 GROUP BY app_id, day, platform, app_version;

-- name: recount_versions
-- How many of the reportable notifications did each version report, by the notifications themselves?
--
-- Parameters: $1 from (inclusive) and $2 to (exclusive) of sent_at, bits of delivery.state: $3 all bits of a
-- reportable one,
--             $4 arrived, $5 app, or null for all.
-- Grain: one row per app, UTC day, platform and app version.

WITH counted AS (
    SELECT app_id, date_bin('24 hours', sent_at, '2000-01-01 00:00:00+00') AS day, segment_id,
           state & $4 <> 0 AS has_arrived, arrived_version, count(*) AS notifications
      FROM landfall.delivery
     WHERE sent_at >= $1 AND sent_at < $2
       AND ($5::bigint IS NULL OR app_id = $5) AND app_id <> ALL ({{incomplete_apps}})
       AND state & $3 = $3
     GROUP BY 1, 2, 3, 4, 5
)
SELECT counted.app_id, counted.day, segment.platform, segment.app_version,
       sum(notifications)::bigint AS reportable,
       coalesce(sum(notifications) FILTER (WHERE has_arrived AND arrived_version = segment.app_version), 0)::bigint
           AS arrived_named,
       coalesce(sum(notifications) FILTER (WHERE has_arrived AND arrived_version IS NULL), 0)::bigint
           AS arrived_unnamed
  FROM counted
 CROSS JOIN LATERAL (SELECT platform, app_version FROM landfall.segment
                      WHERE segment_id = counted.segment_id AND {{speaks_for_version}}
                     OFFSET 0) AS segment
 GROUP BY counted.app_id, counted.day, segment.platform, segment.app_version;

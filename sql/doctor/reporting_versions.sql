-- How much of what could be reported did each app version's extension report, lately by the hour, and in the week before?
--
-- Parameters: $1 app, $2 from (inclusive) of the week before, $3 from (inclusive) and $4 to (exclusive) of lately, all at
--             quarter hours.
-- Grain: one row per platform, app version and hour (UTC) of sending; all of the week before is one row without an hour.
-- Without permission to show alerts no extension runs: those are left out.

WITH counted AS (
    SELECT segment.platform, segment.app_version,
           CASE WHEN rollup.quarter >= $3 THEN date_trunc('hour', rollup.quarter, 'UTC') END AS hour,
           sum(rollup.reportable)::bigint           AS reportable,
           sum(rollup.arrived_reportable)::bigint   AS arrived,
           sum(rollup.responded_reportable)::bigint AS responded
      FROM landfall.segment_rollup AS rollup
      JOIN landfall.segment ON segment.app_id = rollup.app_id AND segment.segment_id = rollup.segment_id
     WHERE rollup.app_id = $1
       AND rollup.quarter >= $2 AND rollup.quarter < $4
       AND segment.permission NOT IN ('denied', 'not_determined')
       AND segment.app_version <> ''
     GROUP BY segment.platform, segment.app_version,
              CASE WHEN rollup.quarter >= $3 THEN date_trunc('hour', rollup.quarter, 'UTC') END
)
SELECT counted.platform, counted.app_version, counted.hour, counted.reportable, counted.arrived, counted.responded,
       reporting.app_id IS NOT NULL AS version_reports
  FROM counted
  LEFT JOIN landfall.reporting_version AS reporting
    ON reporting.app_id = $1 AND reporting.platform = counted.platform AND reporting.app_version = counted.app_version
 WHERE counted.reportable > 0
 ORDER BY counted.platform, counted.app_version, counted.hour;

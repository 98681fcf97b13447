-- How much of what could be reported did each app version's extension report, lately and in the week before?
--
-- Parameters: $1 app, $2 from (inclusive) of the week before, $3 from (inclusive) and $4 to (exclusive) of lately, all at
--             quarter hours.
-- Grain: one row per platform and app version. Without permission to show alerts no extension runs: those are left out.

WITH counted AS (
    SELECT segment.platform, segment.app_version,
           coalesce(sum(rollup.reportable) FILTER (WHERE rollup.quarter >= $3), 0)::bigint         AS reportable,
           coalesce(sum(rollup.arrived_reportable) FILTER (WHERE rollup.quarter >= $3), 0)::bigint AS arrived,
           coalesce(sum(rollup.responded_reportable) FILTER (WHERE rollup.quarter >= $3), 0)::bigint AS responded,
           coalesce(sum(rollup.reportable) FILTER (WHERE rollup.quarter < $3), 0)::bigint          AS reportable_before,
           coalesce(sum(rollup.arrived_reportable) FILTER (WHERE rollup.quarter < $3), 0)::bigint  AS arrived_before,
           coalesce(sum(rollup.responded_reportable) FILTER (WHERE rollup.quarter < $3), 0)::bigint AS responded_before
      FROM landfall.segment_rollup AS rollup
      JOIN landfall.segment ON segment.app_id = rollup.app_id AND segment.segment_id = rollup.segment_id
     WHERE rollup.app_id = $1
       AND rollup.quarter >= $2 AND rollup.quarter < $4
       AND segment.permission NOT IN ('denied', 'not_determined')
       AND segment.app_version <> ''
     GROUP BY segment.platform, segment.app_version
)
SELECT counted.platform, counted.app_version, counted.reportable, counted.arrived, counted.responded,
       counted.reportable_before, counted.arrived_before, counted.responded_before,
       known.first_reported_at
  FROM counted
  LEFT JOIN landfall.reporting_version AS known
    ON known.app_id = $1 AND known.platform = counted.platform AND known.app_version = counted.app_version
 WHERE counted.reportable + counted.reportable_before > 0
 ORDER BY counted.reportable DESC, counted.platform, counted.app_version;

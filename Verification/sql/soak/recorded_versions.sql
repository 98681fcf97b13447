-- How many of the reportable notifications did versions of these apps report, and do they count as reporting?
-- One row per app, day, platform and version.
-- $1 app_id[]
SELECT rollup.app_id, rollup.day, rollup.platform, rollup.app_version,
       sum(rollup.reportable)::bigint         AS reportable,
       sum(rollup.arrived_named)::bigint      AS arrived_named,
       sum(rollup.arrived_unnamed)::bigint    AS arrived_unnamed,
       bool_or(reporting.app_id IS NOT NULL)  AS reports
  FROM landfall.version_rollup AS rollup
  LEFT JOIN landfall.reporting_version AS reporting
         ON reporting.app_id = rollup.app_id
        AND reporting.platform = rollup.platform AND reporting.app_version = rollup.app_version
 WHERE rollup.app_id = ANY ($1::bigint[])
 GROUP BY rollup.app_id, rollup.day, rollup.platform, rollup.app_version;

-- Which known versions of apps do the counters know arrivals of, and is it noted that they report?
--
-- Grain: one row per app, platform and version, of all apps.

WITH reported AS (
    SELECT app_id, segment_id
      FROM landfall.segment_rollup
     GROUP BY app_id, segment_id
    HAVING sum(arrived_reportable) > 0
)
SELECT segment.app_id, segment.platform, segment.app_version,
       bool_or(noted.app_id IS NOT NULL) AS is_noted
  FROM reported
  JOIN landfall.segment ON segment.app_id = reported.app_id AND segment.segment_id = reported.segment_id
  LEFT JOIN landfall.reporting_version AS noted
         ON noted.app_id = segment.app_id AND noted.platform = segment.platform
        AND noted.app_version = segment.app_version
 WHERE segment.app_version <> ''
 GROUP BY segment.app_id, segment.platform, segment.app_version
 ORDER BY segment.app_id, segment.platform, segment.app_version;

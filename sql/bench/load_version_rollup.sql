-- Counts how much of what could be reported each version of the app reported, whose arrivals name none. $1 app_id
INSERT INTO landfall.version_rollup (
    app_id, day, platform, app_version, slot, reportable, arrived_named, arrived_unnamed
)
SELECT rollup.app_id, date_trunc('day', rollup.quarter, 'UTC'), segment.platform, segment.app_version, -1,
       sum(rollup.reportable), 0, sum(rollup.arrived_reportable)
  FROM landfall.segment_rollup AS rollup
  JOIN landfall.segment ON segment.app_id = rollup.app_id AND segment.segment_id = rollup.segment_id
 WHERE rollup.app_id = $1
   AND landfall.speaks_for_version(segment)
 GROUP BY 1, 2, 3, 4
HAVING sum(rollup.reportable) > 0;

-- Adds a batch's changes to the counters of reporting versions. Segments that do not count for a version are left out.
-- $1 version_change[], $2 shard
INSERT INTO landfall.version_rollup AS known (
    app_id, day, platform, app_version, shard, reportable, arrived_named, arrived_unnamed
)
SELECT segment.app_id, change.day, segment.platform, segment.app_version, $2::smallint,
       coalesce(sum(change.notifications) FILTER (WHERE change.measure = 'reportable'), 0),
       coalesce(sum(change.notifications) FILTER (WHERE change.arrived_version = segment.app_version), 0),
       coalesce(sum(change.notifications) FILTER (WHERE change.measure <> 'reportable' AND change.arrived_version = ''), 0)
  FROM unnest($1::landfall.version_change[]) AS change
 -- OFFSET 0 and IS NOT DISTINCT FROM keep the planner from reading all segments of the app for each change.
 CROSS JOIN LATERAL (
           SELECT known.*
             FROM landfall.segment AS known
            WHERE known.segment_id = change.segment_id AND known.app_id IS NOT DISTINCT FROM change.app_id
              AND landfall.speaks_for_version(known)
           OFFSET 0
       ) AS segment
 GROUP BY segment.app_id, change.day, segment.platform, segment.app_version
 -- In one order, so that two writers cannot deadlock.
 ORDER BY segment.app_id, change.day, segment.platform, segment.app_version
ON CONFLICT (app_id, day, platform, app_version, shard) DO UPDATE SET
    reportable      = known.reportable + excluded.reportable,
    arrived_named   = known.arrived_named + excluded.arrived_named,
    arrived_unnamed = known.arrived_unnamed + excluded.arrived_unnamed;

-- Adds a batch's changes to the counters of reporting versions. Segments that do not count for a version are left out.
-- $1 app_id[], $2 segment_id[], $3 day[], $4 the version that arrivals named[] (empty: none), $5 reportable[], $6 arrived[],
-- $7 shard
INSERT INTO landfall.version_rollup AS known (
    app_id, day, platform, app_version, shard, reportable, arrived_named, arrived_unnamed
)
SELECT segment.app_id, change.day, segment.platform, segment.app_version, $7::smallint,
       sum(change.reportable),
       coalesce(sum(change.arrived) FILTER (WHERE change.arrived_version = segment.app_version), 0),
       coalesce(sum(change.arrived) FILTER (WHERE change.arrived_version = ''), 0)
  FROM unnest($1::bigint[], $2::bigint[], $3::timestamptz[], $4::text[], $5::bigint[], $6::bigint[])
       AS change (app_id, segment_id, day, arrived_version, reportable, arrived)
  JOIN landfall.segment ON segment.app_id = change.app_id AND segment.segment_id = change.segment_id
 WHERE landfall.speaks_for_version(segment)
 GROUP BY segment.app_id, change.day, segment.platform, segment.app_version
 -- In one order, so that two writers cannot deadlock.
 ORDER BY segment.app_id, change.day, segment.platform, segment.app_version
ON CONFLICT (app_id, day, platform, app_version, shard) DO UPDATE SET
    reportable      = known.reportable + excluded.reportable,
    arrived_named   = known.arrived_named + excluded.arrived_named,
    arrived_unnamed = known.arrived_unnamed + excluded.arrived_unnamed;

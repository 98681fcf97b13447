-- Counts how many of the reportable notifications each app version reported; the arrivals name no version. $1
-- app_id
INSERT INTO landfall.version_rollup (
    app_id, day, platform, app_version, shard, reportable, arrived_named, arrived_unnamed
)
SELECT counter.app_id, date_trunc('day', counter.quarter, 'UTC'), segment.platform, segment.app_version, -1,
       sum(notifications), 0, coalesce(sum(notifications) FILTER (WHERE measure.arrived_reportable), 0)
  FROM landfall.counter_by_quarter AS counter
 CROSS JOIN LATERAL landfall.measures(counter.state) AS measure
  JOIN landfall.segment ON segment.app_id = counter.app_id AND segment.segment_id = counter.segment_id
 WHERE counter.app_id = $1
   AND measure.reportable
   AND segment.app_version <> '' AND segment.permission NOT IN ('denied', 'not_determined')
 GROUP BY 1, 2, 3, 4;

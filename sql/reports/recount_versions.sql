-- How much of what could be reported did each version report, as the notifications themselves say?
--
-- Parameters: $1 from (inclusive) and $2 to (exclusive) of sent_at, bits of delivery.state: $3 all of a reportable one,
--             $4 arrived, $5 app, or null for all.
-- Grain: one row per app, UTC day, platform and version of the app.

SELECT delivery.app_id,
       date_bin('24 hours', delivery.sent_at, '2000-01-01 00:00:00+00') AS day,
       segment.platform,
       segment.app_version,
       count(*) AS reportable,
       count(*) FILTER (WHERE delivery.state & $4 <> 0 AND delivery.arrived_version = segment.app_version) AS arrived_named,
       count(*) FILTER (WHERE delivery.state & $4 <> 0 AND delivery.arrived_version IS NULL)               AS arrived_unnamed
  FROM landfall.delivery
  JOIN landfall.segment ON segment.app_id = delivery.app_id AND segment.segment_id = delivery.segment_id
 WHERE delivery.sent_at >= $1 AND delivery.sent_at < $2
   AND ($5::bigint IS NULL OR delivery.app_id = $5)
   AND delivery.state & $3 = $3
   AND landfall.speaks_for_version(segment)
 GROUP BY delivery.app_id, day, segment.platform, segment.app_version;

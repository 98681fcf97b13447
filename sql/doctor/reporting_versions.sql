-- How many of the reportable notifications did each app version's extension report, recently by the hour, and in the week before?
--
-- Parameters: $1 app, $2 start (inclusive) of the week before, $3 start (inclusive) and $4 end (exclusive) of the recent window,
-- all at quarter hours.
-- Grain: one row per platform, app version and hour (UTC) of sending; the whole week before is one row without an hour.
-- Installations without permission to show alerts are left out: no extension runs there.

WITH reported AS (
    SELECT segment_id, CASE WHEN quarter >= $3 THEN date_trunc('hour', quarter, 'UTC') END AS hour,
           coalesce(sum(notifications) FILTER (WHERE measure.reportable), 0)::bigint           AS reportable,
           coalesce(sum(notifications) FILTER (WHERE measure.arrived_reportable), 0)::bigint   AS arrived,
           coalesce(sum(notifications) FILTER (WHERE measure.responded_reportable), 0)::bigint AS responded
      FROM landfall.counter_by_quarter AS counter
     CROSS JOIN LATERAL landfall.measures(counter.state) AS measure
     WHERE app_id = $1
       AND quarter >= $2 AND quarter < $4
     GROUP BY 1, 2
), counted AS MATERIALIZED (
    SELECT segment.platform, segment.app_version, reported.hour,
           sum(reported.reportable)::bigint AS reportable,
           sum(reported.arrived)::bigint    AS arrived,
           sum(reported.responded)::bigint  AS responded
      FROM reported
     CROSS JOIN LATERAL (SELECT platform, app_version
                           FROM landfall.segment
                          WHERE segment_id = reported.segment_id
                            AND permission NOT IN ('denied', 'not_determined')
                            AND app_version <> ''
                         OFFSET 0) AS segment
     GROUP BY segment.platform, segment.app_version, reported.hour
)
SELECT counted.platform, counted.app_version, counted.hour, counted.reportable, counted.arrived, counted.responded,
       (counted.platform, counted.app_version)
       IN (SELECT platform, app_version FROM landfall.reporting_version WHERE app_id = $1) AS version_reports
  FROM counted
 WHERE counted.reportable > 0
 ORDER BY counted.platform, counted.app_version, counted.hour;

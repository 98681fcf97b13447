-- Versions of apps: their notification service extensions and device kits.

-- name: extension_health
-- Do the notification service extensions report arrivals, version by version?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive), both at quarter hours, $4 campaigns and $5
-- variants to keep
--             (null: all), $6 segments to keep (null: all).
-- Grain: one row per platform, app version and OS version with an accepted notification.
--
-- last_reported_at is the last quarter hour of the window with a notification sent to this version whose
-- arrival was reported, by any version. Whether a version reports does not depend on the window.

WITH by_state AS (
    -- Sums by state first: few states are left of many rows, so measures are evaluated for few.
    SELECT counter.segment_id, counter.state, sum(counter.notifications) AS notifications,
           max(counter.period) FILTER (WHERE counter.notifications > 0) AS last_day
      FROM ({{counters($1; $2; $3; 'UTC'; 'day'; true)}}) AS counter
     WHERE ($6::bigint[] IS NULL OR counter.segment_id = ANY ($6))
       AND {{is_selected(counter.campaign_id; $1; $4; $5)}}
     GROUP BY counter.segment_id, counter.state
    OFFSET 0
), counted AS (
    SELECT counter.segment_id,
           sum(counter.notifications) FILTER (WHERE measure.accepted)             AS accepted,
           sum(counter.notifications) FILTER (WHERE measure.reportable)           AS reportable,
           sum(counter.notifications) FILTER (WHERE measure.arrived_reportable)   AS arrived_reportable,
           sum(counter.notifications) FILTER (WHERE measure.confirmed_unreported) AS confirmed_unreported,
           sum(counter.notifications) FILTER (WHERE measure.responded_reportable) AS responded_reportable,
           max(counter.last_day) FILTER (WHERE measure.arrived_reportable)        AS last_day
      FROM by_state AS counter
     CROSS JOIN LATERAL landfall.measures(counter.state) AS measure
     GROUP BY counter.segment_id
), version AS MATERIALIZED (
    SELECT segment.platform, segment.app_version, segment.os_version,
           coalesce(sum(counted.accepted), 0)::bigint             AS accepted,
           coalesce(sum(counted.reportable), 0)::bigint           AS reportable,
           coalesce(sum(counted.arrived_reportable), 0)::bigint   AS arrived_reportable,
           coalesce(sum(counted.confirmed_unreported), 0)::bigint AS confirmed_unreported,
           coalesce(sum(counted.responded_reportable), 0)::bigint AS responded_reportable,
           max(counted.last_day)                     AS last_day
      FROM counted
     CROSS JOIN LATERAL (SELECT platform, app_version, os_version FROM landfall.segment
                          WHERE segment_id = counted.segment_id OFFSET 0) AS segment
     GROUP BY segment.platform, segment.app_version, segment.os_version
    HAVING sum(counted.accepted) > 0
), last_day AS (
    SELECT DISTINCT version.last_day AT TIME ZONE 'UTC' AS starts_at
      FROM version
     WHERE version.last_day IS NOT NULL
), reported AS (
    -- Days do not contain the quarter hour. Only the last days with an arrival for a version are read.
    SELECT counter.segment_id, max(counter.quarter) AS quarter
      FROM last_day
     CROSS JOIN LATERAL (
               SELECT counter.quarter, counter.campaign_id, counter.segment_id
                 FROM landfall.counter_by_quarter AS counter
                CROSS JOIN LATERAL landfall.measures(counter.state) AS measure
                WHERE counter.app_id = $1
                  AND counter.quarter >= greatest($2::timestamptz, last_day.starts_at)
                  AND counter.quarter < least($3::timestamptz, last_day.starts_at + interval '24 hours')
                  AND measure.arrived_reportable AND counter.notifications > 0
               OFFSET 0
           ) AS counter
     WHERE ($6::bigint[] IS NULL OR counter.segment_id = ANY ($6))
       AND {{is_selected(counter.campaign_id; $1; $4; $5)}}
     GROUP BY counter.segment_id
), last_report AS MATERIALIZED (
    SELECT segment.platform, segment.app_version, segment.os_version, max(reported.quarter) AS quarter
      FROM reported
     CROSS JOIN LATERAL (SELECT platform, app_version, os_version FROM landfall.segment
                          WHERE segment_id = reported.segment_id OFFSET 0) AS segment
     GROUP BY segment.platform, segment.app_version, segment.os_version
)
SELECT platform, app_version, os_version, accepted, reportable, arrived_reportable, confirmed_unreported, responded_reportable,
       last_report.quarter AS last_reported_at,
       (platform, app_version)
       IN (SELECT platform, app_version FROM landfall.reporting_version WHERE app_id = $1) AS version_reports
  FROM version
  LEFT JOIN last_report USING (platform, app_version, os_version)
 ORDER BY platform, app_version, os_version;

-- name: extension_outcomes
-- How many runs of the notification service extension did not end well?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive), both at quarter hours, $4 campaigns and $5
--             variants to keep (null: all), $6 segments to keep (null: all).
-- Grain: one row per platform, app version and OS version with such a run whose push has a response.
--
-- The partial index on extension_outcome contains only such runs.

SELECT segment.platform, segment.app_version, segment.os_version,
       count(*) FILTER (WHERE delivery.extension_outcome = 'expired')           AS expired,
       count(*) FILTER (WHERE delivery.extension_outcome = 'attachment_failed') AS attachment_failed
  FROM landfall.delivery
  JOIN landfall.segment ON segment.segment_id = delivery.segment_id AND segment.app_id = delivery.app_id
 WHERE delivery.app_id = $1 AND delivery.sent_at >= $2 AND delivery.sent_at < $3
   AND delivery.extension_outcome IS NOT NULL
   AND delivery.state & {{arrived}} = {{arrived}}
   AND ($6::bigint[] IS NULL OR delivery.segment_id = ANY ($6))
   AND {{is_selected(delivery.campaign_id; $1; $4; $5)}}
 GROUP BY segment.platform, segment.app_version, segment.os_version
 ORDER BY segment.platform, segment.app_version, segment.os_version;

-- name: kits
-- Which versions of the device kit do the versions of an app contain?
--
-- Parameters: $1 app, $2 limit.
-- Grain: one row per app version, kit and platform of an installation, in this order.
--
-- Many installations have few kits, so each step finds the next one in the index.

WITH RECURSIVE found AS (
    (SELECT app_version, kit, platform
       FROM landfall.installation
      WHERE app_id = $1 AND kit <> ''
      ORDER BY app_version, kit, platform
      LIMIT 1)
    UNION ALL
    SELECT next.app_version, next.kit, next.platform
      FROM found
     CROSS JOIN LATERAL (SELECT app_version, kit, platform FROM landfall.installation
                          WHERE app_id = $1 AND kit <> ''
                            AND (app_version, kit, platform) > (found.app_version, found.kit, found.platform)
                          ORDER BY app_version, kit, platform
                          LIMIT 1) AS next
)
SELECT app_version, kit, platform
  FROM found
 LIMIT $2;

-- Do the notification service extensions report what arrives, version by version?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive), both at quarter hours, $4 campaigns and $5 variants to keep
--             (null: all), $6 segments to keep (null: all).
-- Grain: one row per platform, version of the app and of the operating system that was sent something accepted.
--
-- last_reported_at is the last quarter hour of the window of whose notifications one was reported. Which versions ever
-- reported anything does not depend on the window.

WITH counted AS (
    SELECT rollup.segment_id,
           sum(rollup.accepted)             AS accepted,
           sum(rollup.reportable)           AS reportable,
           sum(rollup.arrived_reportable)   AS arrived_reportable,
           sum(rollup.confirmed_unreported) AS confirmed_unreported,
           sum(rollup.responded_reportable) AS responded_reportable,
           max(rollup.quarter) FILTER (WHERE rollup.arrived_reportable > 0) AS last_reported_at
      FROM landfall.segment_rollup AS rollup
      LEFT JOIN landfall.campaign ON campaign.app_id = rollup.app_id AND campaign.campaign_id = rollup.campaign_id
     WHERE rollup.app_id = $1
       AND rollup.quarter >= $2 AND rollup.quarter < $3
       AND ($4 IS NULL OR coalesce(campaign.key, '') = ANY ($4))
       AND ($5 IS NULL OR coalesce(campaign.variant, '') = ANY ($5))
       AND ($6::bigint[] IS NULL OR rollup.segment_id = ANY ($6))
     GROUP BY rollup.segment_id
), version AS (
    SELECT segment.platform, segment.app_version, segment.os_version,
           sum(counted.accepted)::bigint             AS accepted,
           sum(counted.reportable)::bigint           AS reportable,
           sum(counted.arrived_reportable)::bigint   AS arrived_reportable,
           sum(counted.confirmed_unreported)::bigint AS confirmed_unreported,
           sum(counted.responded_reportable)::bigint AS responded_reportable,
           max(counted.last_reported_at)             AS last_reported_at
      FROM counted
      JOIN landfall.segment ON segment.app_id = $1 AND segment.segment_id = counted.segment_id
     GROUP BY segment.platform, segment.app_version, segment.os_version
)
SELECT version.platform, version.app_version, version.os_version, accepted, reportable, arrived_reportable,
       confirmed_unreported, responded_reportable, last_reported_at,
       reporting.app_id IS NOT NULL AS has_ever_reported
  FROM version
  LEFT JOIN landfall.reporting_version AS reporting
         ON reporting.app_id = $1
        AND reporting.platform = version.platform AND reporting.app_version = version.app_version
 WHERE version.accepted > 0
 ORDER BY version.platform, version.app_version, version.os_version;

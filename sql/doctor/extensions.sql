-- Diagnoses of the app on devices: its extension, pushes that cannot start it, missing categories.

-- name: reporting_versions
-- How many reportable notifications did each app version's extension report, recently and in the week before?
--
-- Parameters: $1 app, $2 start (inclusive) of the week before, $3 start (inclusive) and $4 end (exclusive) of
-- the recent window, all at quarter hours. Grain: one row per platform, app version and hour (UTC) of
-- sending; the whole week before is one row without an hour. Installations without permission to show alerts
-- are left out: no extension runs there.

WITH reported AS (
    SELECT segment_id, CASE WHEN quarter >= $3 THEN date_trunc('hour', quarter, 'UTC') END AS hour,
           coalesce(sum(notifications) FILTER (WHERE measure.reportable), 0)::bigint           AS reportable,
           coalesce(sum(notifications) FILTER (WHERE measure.arrived_reportable), 0)::bigint   AS arrived,
           coalesce(sum(notifications) FILTER (WHERE measure.responded_reportable), 0)::bigint AS responded
      FROM landfall.counter_by_quarter AS counter
     CROSS JOIN LATERAL landfall.measures(counter.state) AS measure
     WHERE app_id = $1 AND quarter >= $2 AND quarter < $4
     GROUP BY 1, 2
), counted AS MATERIALIZED (
    SELECT segment.platform, segment.app_version, hour, sum(reportable)::bigint AS reportable,
           sum(arrived)::bigint AS arrived, sum(responded)::bigint AS responded
      FROM reported
     CROSS JOIN LATERAL (SELECT platform, app_version
                           FROM landfall.segment
                          WHERE segment_id = reported.segment_id
                            AND permission NOT IN ('denied', 'not_determined') AND app_version <> ''
                         OFFSET 0) AS segment
     GROUP BY 1, 2, 3
)
SELECT platform, app_version, hour, reportable, arrived, responded,
       (platform, app_version)
       IN (SELECT platform, app_version FROM landfall.reporting_version WHERE app_id = $1) AS version_reports
  FROM counted
 WHERE reportable > 0
 ORDER BY platform, app_version, hour;

-- name: mutable_content
-- Which accepted alerts could no extension report, because their sender did not set mutable-content?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive), both at quarter hours.
-- Grain: one row per campaign and topic. The campaign is empty for alerts without one.

WITH counted AS (
    SELECT campaign_id, segment_id,
           coalesce(sum(notifications) FILTER (WHERE measure.accepted), 0)::bigint   AS accepted,
           coalesce(sum(notifications) FILTER (WHERE measure.reportable), 0)::bigint AS reportable
      FROM landfall.counter_by_quarter AS counter
     CROSS JOIN LATERAL landfall.measures(counter.state) AS measure
     WHERE app_id = $1 AND quarter >= $2 AND quarter < $3
     GROUP BY 1, 2
), named AS (
    -- A full join is never a nested loop, even for few expected rows. Names without rows are dropped below.
    SELECT campaign.key AS campaign, segment.topic, counted.accepted, counted.reportable
      FROM counted
      FULL JOIN (SELECT campaign_id, key
                   FROM landfall.campaign
                  WHERE app_id = $1) AS campaign ON campaign.campaign_id = counted.campaign_id
      FULL JOIN (SELECT segment_id, topic
                   FROM landfall.segment
                  WHERE app_id = $1 AND push_type = 'alert') AS segment ON segment.segment_id = counted.segment_id
    OFFSET 0
)
SELECT coalesce(campaign, '') AS campaign, topic, sum(accepted)::bigint AS accepted,
       sum(reportable)::bigint AS reportable
  FROM named
 WHERE accepted IS NOT NULL AND topic IS NOT NULL
 GROUP BY coalesce(campaign, ''), topic
HAVING sum(accepted) > 0
 ORDER BY sum(accepted) DESC, 1, topic;

-- name: content_available
-- Which accepted alerts had content-available, how many did the app report from the background, and how many
-- did any device confirm?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive), both at quarter hours, $4 the most pushes
-- that are read, the newest. Grain: one row per campaign, most alerts first. The campaign is empty for alerts
-- without one.
--
-- The partial index on content_available contains only such pushes, silent ones among them. A response_rank
-- of 0 is accepted, a negative state witnessed; state 0 only points to another row. Of several witnesses a
-- row keeps the first, so the provider may hide the app.

WITH newest AS MATERIALIZED (
    SELECT campaign_id, segment_id, state < 0 AND witness IN ('app', 'provider') AS is_reported,
           state < 0 OR state & ({{arrived}} | {{presented}} | {{clicked}} | {{dismissed}}) <> 0 AS is_confirmed
      FROM landfall.delivery
     WHERE app_id = $1 AND sent_at >= $2 AND sent_at < $3 AND content_available AND response_rank = 0
       AND state <> 0
     ORDER BY sent_at DESC
     LIMIT $4
), counted AS MATERIALIZED (
    SELECT campaign_id, count(*) AS alerts, count(*) FILTER (WHERE is_reported) AS reported,
           count(*) FILTER (WHERE is_confirmed) AS confirmed
      FROM newest
     -- IS TRUE keeps the list hashed, however few rows the planner expects.
     WHERE (segment_id IN (SELECT segment_id
                             FROM landfall.segment
                            WHERE app_id = $1 AND push_type = 'alert' AND platform NOT IN ('android', 'web'))) IS TRUE
     GROUP BY campaign_id
)
SELECT campaign.key AS campaign, sum(alerts)::bigint AS alerts, sum(reported)::bigint AS reported,
       sum(confirmed)::bigint AS confirmed
  FROM counted
 CROSS JOIN LATERAL (SELECT key FROM landfall.campaign WHERE campaign_id = counted.campaign_id OFFSET 0) AS campaign
 GROUP BY campaign.key
 ORDER BY sum(alerts) DESC, campaign.key;

-- name: missing_categories
-- Which categories of notifications that devices got have apps not registered with the system?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive) of the last registration, $4 limit. Grain:
-- one row per category, most installations first. `app_version` is one of theirs, the greatest as text.

SELECT category, count(*) AS installations, max(app_version) AS app_version
  FROM landfall.installation
 CROSS JOIN LATERAL unnest(missing_categories) AS category
 WHERE app_id = $1 AND missing_categories IS NOT NULL AND last_registered_at >= $2 AND last_registered_at < $3
 GROUP BY category
 ORDER BY installations DESC, category
 LIMIT $4;

-- How many installations were targeted, reached and engaged?
--
-- Parameters: $1 to $12 as in questions.sql, bits of delivery.state: $13 attempted, $14 accepted, $15 any
--             sign that the device had it, $16 clicked.
-- Grain: one row per local period, campaign, variant and trait, as requested; in order of time, then the
-- largest first. For the totals, ask without a breakdown: distinct over the window, not the sum of the rows.
--
-- A token that no installation has registered counts on its own, under its negative id. Notifications that
-- name neither token nor installation (broadcast channels) count only in without_target.
--
-- Each period is counted on its own (hours: a day at a time): the installations of one day fit into memory,
-- those of thirty days do not. Notifications are grouped by ids, not by names: the lowest id stands for all
-- campaigns, and all segments, that share a row.

WITH campaign_name AS MATERIALIZED (
    SELECT campaign_id, key, variant,
           min(campaign_id) OVER (PARTITION BY CASE WHEN $6 THEN key END, CASE WHEN $7 THEN variant END) AS first_id
      FROM landfall.campaign
     WHERE app_id = $1 AND ($6 OR $7)
), segment_name AS MATERIALIZED (
    SELECT segment_id, first_trait, second_trait,
           min(segment_id) OVER (PARTITION BY first_trait, second_trait) AS first_id
      FROM (SELECT segment_id, {{trait($10)}} AS first_trait,
                   {{trait($11)}} AS second_trait
              FROM landfall.segment
             WHERE app_id = $1 AND $10 IS NOT NULL) AS segment
), stretch AS (
    SELECT landfall.report_period(quarter, $4, CASE WHEN $5 = 'hour' THEN 'day' ELSE $5 END) AS period,
           min(quarter) AS starts_at, max(quarter) + interval '15 minutes' AS ends_at
      FROM generate_series($2::timestamptz, $3::timestamptz - interval '15 minutes', interval '15 minutes') AS quarter
     GROUP BY 1
), counted AS (
    SELECT CASE WHEN $5 = 'hour' THEN found.hour ELSE stretch.period END AS period, found.utc_offset_minutes,
           CASE WHEN $6 THEN coalesce(campaign_name.key, '') END AS campaign,
           CASE WHEN $7 THEN coalesce(campaign_name.variant, '') END AS variant,
           segment_name.first_trait, segment_name.second_trait,
           found.targeted, found.reached, found.engaged, found.without_target
      FROM stretch
     CROSS JOIN LATERAL (
               WITH aimed AS (
                   -- Here and below, grouping starts with the target: it alone tells nearly all rows apart.
                   SELECT landfall.report_period(delivery.sent_at, $4, CASE WHEN $5 = 'hour' THEN 'hour' END) AS hour,
                          landfall.report_utc_offset(delivery.sent_at, $4, $5) AS utc_offset_minutes,
                          CASE WHEN $6 OR $7 THEN delivery.campaign_id END AS campaign_id,
                          CASE WHEN $10 IS NOT NULL OR $11 IS NOT NULL THEN delivery.segment_id END AS segment_id,
                          coalesce(delivery.installation_id, -delivery.token_id) AS target_id,
                          bit_or(CASE WHEN delivery.state & $14 <> 0 THEN delivery.state ELSE 0 END) AS state,
                          count(*) AS notification_count
                     FROM landfall.delivery
                    WHERE delivery.app_id = $1 AND delivery.sent_at >= $2 AND delivery.sent_at < $3
                      -- Shows the planner that the whole window is requested, so that it does not guess.
                      AND ($5 IS NULL OR delivery.sent_at >= stretch.starts_at)
                      AND ($5 IS NULL OR delivery.sent_at < stretch.ends_at)
                      AND delivery.state & $13 <> 0
                      AND {{is_selected(delivery.campaign_id; $1; $8; $9)}}
                      AND ($12::bigint[] IS NULL OR delivery.segment_id = ANY ($12))
                    GROUP BY 5, 1, 2, 3, 4
               ), named AS (
                   -- A full join is never a nested loop, however few rows the planner expects.
                   SELECT aimed.hour, aimed.utc_offset_minutes, aimed.target_id, aimed.state, aimed.notification_count,
                          campaign_name.first_id AS campaign_id, segment_name.first_id AS segment_id
                     FROM aimed
                     FULL JOIN campaign_name ON campaign_name.campaign_id = aimed.campaign_id
                     FULL JOIN segment_name ON segment_name.segment_id = aimed.segment_id
                   OFFSET 0
               ), targeted AS (
                   SELECT aimed.hour, aimed.utc_offset_minutes, aimed.campaign_id, aimed.segment_id,
                          coalesce(owner.installation_id, aimed.target_id) AS target_id,
                          bit_or(aimed.state) AS state,
                          sum(aimed.notification_count) AS notification_count
                     FROM named AS aimed
                     -- Nearly all rows have their installation: one lookup for each of the others.
                     LEFT JOIN LATERAL (
                              SELECT token.installation_id
                                FROM landfall.token
                               WHERE aimed.target_id < 0 AND token.token_id = -aimed.target_id AND token.app_id = $1
                              OFFSET 0
                          ) AS owner ON true
                    WHERE aimed.notification_count IS NOT NULL
                    GROUP BY 5, 1, 2, 3, 4
               )
               SELECT hour, utc_offset_minutes, campaign_id, segment_id,
                      count(target_id)                                  AS targeted,
                      count(target_id) FILTER (WHERE state & $15 <> 0)  AS reached,
                      count(target_id) FILTER (WHERE state & $16 <> 0)  AS engaged,
                      coalesce(sum(notification_count) FILTER (WHERE target_id IS NULL), 0)::bigint AS without_target
                 FROM targeted
                GROUP BY hour, utc_offset_minutes, campaign_id, segment_id
           ) AS found
      FULL JOIN campaign_name ON campaign_name.campaign_id = found.campaign_id
      FULL JOIN segment_name ON segment_name.segment_id = found.segment_id
    OFFSET 0
)
SELECT to_char(period, 'YYYY-MM-DD"T"HH24:MI:SS') AS period, utc_offset_minutes, campaign, variant, first_trait, second_trait,
       targeted, reached, engaged, without_target
  FROM counted
 WHERE targeted IS NOT NULL
 ORDER BY counted.period, utc_offset_minutes DESC, targeted DESC, campaign, variant, first_trait, second_trait;

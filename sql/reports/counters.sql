-- Notifications by state, for the funnel and other reports, and those without a response.

-- The counters of a window of whole quarter hours, by local period, campaign and state: $1 app, $2 from
-- (inclusive), $3 to (exclusive), $4 time zone, $5 unit, $6 also by segment and response. Sum the rows:
-- negative ones subtract what belongs to another period or state.
-- part: counters
SELECT whole.period, NULL::integer AS utc_offset_minutes, folded.*
  FROM landfall.report_days($2, $3, $4, $5) AS whole
 CROSS JOIN LATERAL (
    SELECT campaign_id, segment_id, response_id, state, notifications
      FROM landfall.counter
     WHERE grain = CASE WHEN $6 THEN 'day'::landfall.counter_grain ELSE 'headline_day' END
       AND app_id = $1 AND starts_at = whole.day
    OFFSET 0
 ) AS folded
UNION ALL
SELECT edge.period, edge.utc_offset_minutes, folded.*
  FROM landfall.report_quarters($2, $3, $4, $5) AS edge
 CROSS JOIN LATERAL (
    SELECT campaign_id, segment_id, response_id, state, edge.weight * notifications
      FROM landfall.counter
     WHERE grain = CASE WHEN $6 THEN 'quarter'::landfall.counter_grain ELSE 'headline_quarter' END
       AND app_id = $1 AND starts_at = edge.quarter
    OFFSET 0
 ) AS folded
UNION ALL
-- The period is computed once per quarter hour, not once per row.
SELECT live.period, live.utc_offset_minutes, counted.*
  FROM (SELECT quarter, landfall.report_period(quarter, $4, $5) AS period,
               landfall.report_utc_offset(quarter, $4, $5) AS utc_offset_minutes
          FROM generate_series(greatest($2, (SELECT min(quarter) FROM landfall.counter_live WHERE app_id = $1)),
                               least($3, (SELECT max(quarter) FROM landfall.counter_live WHERE app_id = $1)
                                         + interval '15 minutes') - interval '15 minutes',
                               interval '15 minutes') AS quarter
        OFFSET 0) AS live
 CROSS JOIN LATERAL (
    SELECT campaign_id, segment_id, response_id, state, notifications
      FROM landfall.counter_live
     WHERE app_id = $1 AND quarter = live.quarter
    OFFSET 0
 ) AS counted

-- name: counters
-- How many notifications are in which state?
--
-- Parameters: $1 to $12 as in questions.sql, $13 a third trait to break down by (null: none), $14 read the
--             counters by segment, which all from $10 on need, $15 only versions of the app that report
--             arrivals, $16 tell the responses of rejected notifications apart.
-- Grain: one row per local period, campaign, variant and trait, as requested, and with $16 per response
-- (response_id 0: not rejected), with two arrays of equal length: states, and the number of notifications
-- with a response in each; in order of time, then the largest first. Without a breakdown: the totals.
--
-- Measure decides what the states count as, not this query. Sums are by ids first, names come afterward
-- (docs/decisions/0032).

WITH capable AS MATERIALIZED (
    SELECT segment.segment_id
      FROM landfall.segment
     WHERE segment.app_id = $1 AND $15
       AND ((segment.platform, segment.app_version)
            IN (SELECT platform, app_version FROM landfall.reporting_version WHERE app_id = $1)) IS TRUE
), counted AS (
    -- CASE shows the planner which of these are always null. Otherwise it would expect a group for each
    -- combination, and sort.
    SELECT CASE WHEN $5 IS NOT NULL THEN counter.period END AS period,
           CASE WHEN $5 = 'hour' THEN counter.utc_offset_minutes END AS utc_offset_minutes,
           CASE WHEN $6 OR $7 THEN counter.campaign_id END AS campaign_id,
           CASE WHEN $10 IS NOT NULL THEN counter.segment_id END AS segment_id,
           CASE WHEN $16 THEN counter.response_id END AS response_id,
           counter.state, sum(counter.notifications) AS notifications
      FROM ({{counters($1; $2; $3; $4; $5; $14)}}) AS counter
     WHERE counter.campaign_id <> 0
       AND ($12::bigint[] IS NULL OR counter.segment_id = ANY ($12))
       AND (NOT $15 OR (counter.segment_id IN (SELECT segment_id FROM capable)) IS TRUE)
       AND {{is_selected(counter.campaign_id; $1; $8; $9)}}
     GROUP BY 1, 2, 3, 4, 5, 6
), named AS (
    -- A full join is never a nested loop, even for few expected rows. Names without rows are dropped below.
    SELECT counted.*,
           CASE WHEN $6 THEN coalesce(campaign.key, '') END AS campaign,
           CASE WHEN $7 THEN coalesce(campaign.variant, '') END AS variant,
           segment.first_trait, segment.second_trait, segment.third_trait
      FROM counted
      FULL JOIN (SELECT campaign_id, key, variant FROM landfall.campaign
                  WHERE app_id = $1 AND ($6 OR $7)) AS campaign ON campaign.campaign_id = counted.campaign_id
      FULL JOIN (SELECT segment_id, {{trait($10)}} AS first_trait,
                        {{trait($11)}} AS second_trait,
                        {{trait($13)}} AS third_trait
                   FROM landfall.segment WHERE app_id = $1 AND $10 IS NOT NULL) AS segment
        ON segment.segment_id = counted.segment_id
    OFFSET 0
), told AS (
    SELECT period, utc_offset_minutes, campaign, variant, first_trait, second_trait, third_trait, response_id, state,
           sum(notifications)::bigint AS notifications
      FROM named
     WHERE state IS NOT NULL
     GROUP BY period, utc_offset_minutes, campaign, variant, first_trait, second_trait, third_trait, response_id, state
    HAVING sum(notifications) <> 0
)
SELECT to_char(period, 'YYYY-MM-DD"T"HH24:MI:SS') AS period, utc_offset_minutes, campaign, variant, first_trait, second_trait,
       third_trait, response_id, array_agg(state) AS states, array_agg(notifications) AS notifications
  FROM told
 GROUP BY told.period, utc_offset_minutes, campaign, variant, first_trait, second_trait, third_trait, response_id
 ORDER BY told.period, utc_offset_minutes DESC, sum(told.notifications) DESC, campaign, variant, first_trait, second_trait,
          third_trait, response_id;

-- name: unmatched
-- How many notifications have device events but no response (yet), and how many did the app show by itself?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive), both at quarter hours, bit of
-- delivery.state: $4 local. Grain: one row. The campaign is not known before the response, so these are
-- numbers of the whole window.

SELECT coalesce(sum(notifications) FILTER (WHERE state & $4 = 0), 0)::bigint  AS unmatched,
       coalesce(sum(notifications) FILTER (WHERE state & $4 <> 0), 0)::bigint AS local
  FROM ({{counters($1; $2; $3; 'UTC'; NULL; false)}}) AS counter
 WHERE campaign_id = 0;

-- Verification of the counters, at each grain.

-- name: counted_span
-- Which quarter hours do the counters cover?
--
-- Grain: one row for all apps; both columns are null if nothing has been counted.

SELECT min(quarter) AS first_quarter, max(quarter) AS last_quarter
  FROM landfall.headline_by_quarter;

-- name: recorded_counters
-- How many notifications are in which state, according to the counters?
--
-- Parameters: $1 from (inclusive) and $2 to (exclusive), both at quarter hours, $3 app, or null for all.
-- Grain: one row per app, quarter hour, campaign, segment, response and state.

SELECT app_id, quarter, campaign_id, segment_id, response_id, state, sum(notifications)::bigint AS notifications
  FROM landfall.counter_by_quarter
 WHERE quarter >= $1 AND quarter < $2
   AND ($3::bigint IS NULL OR app_id = $3)
 GROUP BY app_id, quarter, campaign_id, segment_id, response_id, state;

-- name: recount_counters
-- How many notifications are in which state, according to the notifications themselves?
--
-- Parameters: $1 from (inclusive) and $2 to (exclusive) of sent_at, bits of delivery.state: $3 attempted, $4
-- accepted,
--             $5 app, or null for all.
-- Grain: one row per app, quarter hour, campaign, segment, response and state, as in counter_live. Rows with
-- state 0 are pointers.

SELECT app_id, date_bin('15 minutes', sent_at, '2000-01-01 00:00:00+00') AS quarter,
       CASE WHEN state & $3 = 0 THEN 0 ELSE coalesce(campaign_id, -1) END AS campaign_id,
       CASE WHEN state & $3 = 0 THEN 0 ELSE coalesce(segment_id, -1) END  AS segment_id,
       CASE WHEN state & $3 = 0 OR state & $4 <> 0 THEN 0 ELSE coalesce(response_id, -1) END AS response_id,
       state, count(*) AS notifications
  FROM landfall.delivery
 WHERE sent_at >= $1 AND sent_at < $2
   AND state <> 0
   AND ($5::bigint IS NULL OR app_id = $5) AND app_id <> ALL ({{incomplete_apps}})
 GROUP BY 1, 2, 3, 4, 5, 6;

-- name: recorded_grains
-- Do the coarser grains of the folded counters agree with the quarter hours?
--
-- Parameters: $1 from (inclusive) and $2 to (exclusive), both at UTC days, $3 app, or null for all. Grain:
-- one row per grain, app, quarter hour or day, campaign, segment, response and state: the sum of the quarter
-- hours (counted) and the value of the grain (recorded).

SELECT coalesce(counted.grain, known.grain)::text AS grain, app_id, starts_at AS quarter, campaign_id, segment_id, response_id, state,
       coalesce(counted.notifications, 0) AS counted, coalesce(known.notifications, 0) AS recorded
  FROM (SELECT coarse.grain, app_id, coarse.starts_at, campaign_id, coarse.segment_id, coarse.response_id, state,
               sum(notifications)::bigint AS notifications
          FROM landfall.counter
         CROSS JOIN LATERAL (VALUES
                   ('day'::landfall.counter_grain, date_trunc('day', counter.starts_at, 'UTC'), counter.segment_id, counter.response_id),
                   ('headline_quarter', counter.starts_at, 0, 0),
                   ('headline_day', date_trunc('day', counter.starts_at, 'UTC'), 0, 0)
               ) AS coarse (grain, starts_at, segment_id, response_id)
         WHERE counter.grain = 'quarter' AND counter.starts_at >= $1 AND counter.starts_at < $2
           AND ($3::bigint IS NULL OR app_id = $3)
         GROUP BY 1, 2, 3, 4, 5, 6, 7) AS counted
  FULL JOIN (SELECT * FROM landfall.counter
              WHERE grain <> 'quarter' AND starts_at >= $1 AND starts_at < $2
                AND ($3::bigint IS NULL OR app_id = $3)) AS known
 USING (grain, app_id, starts_at, campaign_id, segment_id, response_id, state);

-- Do the coarser grains of the folded counters agree with the quarter hours?
--
-- Parameters: $1 from (inclusive) and $2 to (exclusive), both at UTC days,
--             $3 app, or null for all.
-- Grain: one row per grain, app, quarter hour or day, campaign, segment, response and state: the sum of the quarter hours
-- (counted) and the value of the grain (recorded).

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
  FULL JOIN (SELECT *
               FROM landfall.counter
              WHERE grain <> 'quarter' AND starts_at >= $1 AND starts_at < $2
                AND ($3::bigint IS NULL OR app_id = $3)) AS known
 USING (grain, app_id, starts_at, campaign_id, segment_id, response_id, state);

-- Diagnoses of providers: failures, and responses that are not listed.

-- name: provider_hours
-- When did which provider fail, throttle, or not respond at all?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive), both at quarter hours. Grain: one row per
-- provider and hour (UTC) of sending. `silent` counts pushes without a response (status 0).

WITH sent AS (
    -- A full join is never a nested loop, however few rows the planner expects.
    SELECT segment.provider, date_trunc('hour', counted.quarter, 'UTC') AS hour, counted.attempted,
           counted.provider_error, counted.throttled
      FROM (SELECT segment_id, quarter,
                   sum(notifications) AS attempted,
                   coalesce(sum(notifications) FILTER (WHERE measure.rejected_provider_error), 0) AS provider_error,
                   coalesce(sum(notifications) FILTER (WHERE measure.rejected_throttled), 0)      AS throttled
              FROM landfall.counter_by_quarter AS counter
             CROSS JOIN LATERAL landfall.measures(counter.state) AS measure
             WHERE app_id = $1 AND quarter >= $2 AND quarter < $3 AND measure.attempted
             GROUP BY segment_id, quarter) AS counted
      FULL JOIN (SELECT segment_id, provider
                   FROM landfall.segment
                  WHERE app_id = $1) AS segment ON segment.segment_id = counted.segment_id
    OFFSET 0
), rejected AS (
    SELECT response_id, date_trunc('hour', quarter, 'UTC') AS hour, sum(notifications)::bigint AS rejected
      FROM landfall.counter_by_quarter
     WHERE app_id = $1 AND response_id <> 0 AND quarter >= $2 AND quarter < $3
     GROUP BY 1, 2
), told AS (
    SELECT provider, hour, attempted, provider_error, throttled, 0 AS silent
      FROM sent
     WHERE attempted IS NOT NULL
    UNION ALL
    SELECT response.provider, rejected.hour, 0, 0, 0, rejected.rejected
      FROM rejected
     CROSS JOIN LATERAL (SELECT provider
                           FROM landfall.provider_response
                          WHERE response_id = rejected.response_id AND status = 0 AND outcome_class = 'unknown'
                         OFFSET 0) AS response
)
SELECT provider, hour, sum(attempted)::bigint AS attempted, sum(provider_error)::bigint AS provider_error,
       sum(throttled)::bigint AS throttled, sum(silent)::bigint AS silent
  FROM told
 GROUP BY provider, hour
HAVING sum(attempted) > 0
 ORDER BY provider, hour;

-- name: unlisted_responses
-- Which recent responses are not listed, and so count as unknown, or as any other reason under their status?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive), both at quarter hours. Grain: one row per
-- response in the provider's words, the most frequent first; one row without a provider if there are none.
-- `attempted` counts all pushes of the window.

WITH pushes AS MATERIALIZED (
    SELECT coalesce(sum(notifications) FILTER (WHERE measure.attempted), 0)::bigint AS attempted
      FROM landfall.headline_by_quarter AS counter
     CROSS JOIN LATERAL landfall.measures(counter.state) AS measure
     WHERE app_id = $1 AND quarter >= $2 AND quarter < $3
), counted AS MATERIALIZED (
    SELECT response_id, sum(notifications)::bigint AS rejected
      FROM landfall.counter_by_quarter
     WHERE app_id = $1 AND response_id <> 0 AND quarter >= $2 AND quarter < $3
     GROUP BY response_id
    HAVING sum(notifications) > 0
), unlisted AS MATERIALIZED (
    SELECT response.provider, response.status::bigint AS status, nullif(response.reason, '') AS reason, counted.rejected
      FROM counted
     CROSS JOIN LATERAL (SELECT provider, status, reason
                           FROM landfall.provider_response
                          WHERE response_id = counted.response_id
                         OFFSET 0) AS response
     WHERE NOT coalesce((SELECT listed.is_listed
                           FROM ({{listed_response(response.provider; response.status; response.reason)}}) AS listed), false)
)
SELECT attempted, provider, status, reason, rejected
  FROM pushes
  LEFT JOIN unlisted ON true
 ORDER BY rejected DESC, provider, status, reason;

-- Which recent responses are not listed, so that they count as unknown, or as any other reason under their status?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive), both at quarter hours.
-- Grain: one row per response in the provider's words, the most frequent first; one row without a provider if there are none.
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
     WHERE NOT landfall.is_listed_response(response.provider, response.status, response.reason)
)
SELECT pushes.attempted, unlisted.provider, unlisted.status, unlisted.reason, unlisted.rejected
  FROM pushes
  LEFT JOIN unlisted ON true
 ORDER BY unlisted.rejected DESC, unlisted.provider, unlisted.status, unlisted.reason;

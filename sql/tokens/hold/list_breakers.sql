-- Which breakers are open or hold back tokens? One row per environment and topic.
-- $1 app_id, $2 environment or null for any, $3 topic or null for any
WITH held AS (
    SELECT environment, topic, count(*) AS held_count, min(state_changed_at) AS held_since
    FROM landfall.token
    WHERE app_id = $1
      AND cause = 'breaker'
      AND state IS NOT DISTINCT FROM 'suspect'
    GROUP BY environment, topic
)
SELECT coalesce(held.environment, breaker.environment) AS environment,
       coalesce(held.topic, breaker.topic) AS topic,
       coalesce(breaker.opened_at, held.held_since) AS opened_at,
       coalesce(held.held_count, 0) AS held_count
FROM held
FULL JOIN (SELECT environment, topic, opened_at
           FROM landfall.token_breaker
           WHERE app_id = $1 AND opened_at IS NOT NULL) AS breaker
  ON breaker.environment = held.environment AND breaker.topic = held.topic
WHERE ($2 IS NULL OR coalesce(held.environment, breaker.environment) = $2)
  AND ($3 IS NULL OR coalesce(held.topic, breaker.topic) = $3)
ORDER BY held_count DESC, environment, topic;

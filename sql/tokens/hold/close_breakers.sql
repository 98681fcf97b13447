-- Closes breakers that no longer hold back any token, so that responses retire tokens again, and starts their counts over. One
-- row per breaker closed.
-- $1 app_id, $2 environment or null for any, $3 topic or null for any, $4 the current minute
UPDATE landfall.token_breaker AS breaker
SET opened_at         = NULL,
    decided_minute    = $4,
    decided_attempted = counted.attempted,
    decided_retired   = counted.retired
FROM landfall.token_breaker AS known
CROSS JOIN LATERAL (
    SELECT coalesce(sum(attempted), 0)::bigint AS attempted, coalesce(sum(retired), 0)::bigint AS retired
    FROM landfall.token_breaker_minute
    WHERE app_id = known.app_id AND environment = known.environment AND topic = known.topic AND minute = $4
) AS counted
WHERE known.app_id = $1
  AND known.opened_at IS NOT NULL
  AND ($2 IS NULL OR known.environment = $2)
  AND ($3 IS NULL OR known.topic = $3)
  AND NOT EXISTS (
      SELECT 1
      FROM landfall.token
      WHERE token.app_id = known.app_id
        AND token.environment = known.environment
        AND token.topic = known.topic
        AND token.cause = 'breaker'
        AND token.state IS NOT DISTINCT FROM 'suspect')
  AND breaker.app_id = known.app_id
  AND breaker.environment = known.environment
  AND breaker.topic = known.topic
RETURNING breaker.environment, breaker.topic;

-- Locks these breakers: the transaction that holds them decides which tokens retire, the others wait. $1 app_id[],
-- $2 environment[], $3 topic[]
SELECT breaker.app_id
FROM unnest($1::bigint[], $2::text[], $3::text[]) AS asked (app_id, environment, topic)
JOIN landfall.token_breaker AS breaker
  ON breaker.app_id = asked.app_id AND breaker.environment = asked.environment AND breaker.topic = asked.topic
ORDER BY breaker.app_id, breaker.environment, breaker.topic
FOR UPDATE OF breaker;

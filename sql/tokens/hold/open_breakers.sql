-- Opens breakers: from now on, responses retire no token there. $1 app_id[], $2 environment[], $3 topic[], $4 now
UPDATE landfall.token_breaker AS breaker
SET opened_at = $4
FROM unnest($1::bigint[], $2::text[], $3::text[]) AS tripped (app_id, environment, topic)
WHERE breaker.app_id = tripped.app_id
  AND breaker.environment = tripped.environment
  AND breaker.topic = tripped.topic
  AND breaker.opened_at IS NULL;

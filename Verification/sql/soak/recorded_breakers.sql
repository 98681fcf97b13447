-- Which breakers of these apps are open? One row per open breaker.
-- $1 app_id[]
SELECT app_id, environment, topic
FROM landfall.token_breaker
WHERE app_id = ANY ($1::bigint[]) AND opened_at IS NOT NULL;

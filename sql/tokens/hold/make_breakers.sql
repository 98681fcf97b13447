-- Creates breakers that do not exist yet. $1 app_id[], $2 environment[], $3 topic[], sorted
INSERT INTO landfall.token_breaker (app_id, environment, topic)
SELECT app_id, environment, topic
FROM unnest($1::bigint[], $2::text[], $3::text[]) AS asked (app_id, environment, topic)
ON CONFLICT (app_id, environment, topic) DO NOTHING;

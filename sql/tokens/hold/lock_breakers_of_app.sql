-- Locks the breakers of an app: while they are locked, no response retires or holds back a token there.
-- $1 app_id, $2 environment or null for any, $3 topic or null for any
SELECT environment, topic
FROM landfall.token_breaker
WHERE app_id = $1
  AND ($2 IS NULL OR environment = $2)
  AND ($3 IS NULL OR topic = $3)
ORDER BY environment, topic
FOR UPDATE;

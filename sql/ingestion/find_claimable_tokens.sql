-- Which tokens have messages that wait although somebody has registered them? One row per token, in their order.
-- $1 behind this token_id, $2 at most so many
SELECT DISTINCT waiting.token_id
FROM landfall.message_recipient AS waiting
JOIN landfall.token
  ON token.token_id = waiting.token_id AND token.app_id = waiting.app_id
WHERE waiting.installation_id IS NULL
  AND waiting.token_id > $1
  AND token.installation_id IS NOT NULL
ORDER BY waiting.token_id
LIMIT $2;

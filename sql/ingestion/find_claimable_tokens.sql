-- Which tokens have waiting messages although an installation has registered them? One row per token, in order of token_id.
-- $1 after this token_id, $2 limit
SELECT token.token_id
FROM landfall.token
WHERE token.installation_id IS NOT NULL
  AND token.token_id > $1
  AND EXISTS (SELECT FROM landfall.message_recipient AS waiting
              WHERE waiting.token_id = token.token_id
                AND waiting.app_id = token.app_id
                AND waiting.installation_id IS NULL)
ORDER BY token.token_id
LIMIT $2;

-- Which of these tokens are registered in, or were accepted by, another environment? One row per token found there.
-- $1 token_id[]
SELECT DISTINCT token.token_id
FROM landfall.token
JOIN landfall.token AS sibling
  ON sibling.fingerprint = token.fingerprint
 AND sibling.app_id = token.app_id
 AND sibling.provider = token.provider
 AND sibling.environment <> token.environment
 AND (sibling.last_registered_at IS NOT NULL OR sibling.last_accepted_at IS NOT NULL)
WHERE token.token_id = ANY ($1::bigint[]);

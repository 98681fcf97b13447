-- The same as page_tokens.sql for one account: the tokens of the installations on which it is signed in and verified.
-- $1 app_id, $2 state[], $3 after this token, $4 limit, $5 now, $6 only with this tag; null: with any tags, $7 account
-- OFFSET 0 keeps the planner from starting with all of the app's installations or tokens.
SELECT token.token_id,
       token.sealed_value,
       token.provider,
       token.kind,
       token.environment,
       token.topic,
       token.last_registered_at,
       token.expires_at,
       installation.device_id::text AS device_id,
       binding.account,
       token.state
FROM landfall.account_binding AS binding
CROSS JOIN LATERAL (
    SELECT known.installation_id, known.device_id
    FROM landfall.installation AS known
    WHERE known.installation_id = binding.installation_id
      AND known.app_id IS NOT DISTINCT FROM $1
      AND ($6::text IS NULL OR known.tags @> ARRAY[$6])
    OFFSET 0
) AS installation
CROSS JOIN LATERAL (
    SELECT known.*
    FROM landfall.token AS known
    WHERE known.installation_id = installation.installation_id
      AND known.app_id IS NOT DISTINCT FROM $1
    OFFSET 0
) AS token
WHERE binding.app_id = $1
  AND binding.account = $7
  AND binding.unbound_at IS NULL
  AND binding.is_verified
  AND token.state = ANY ($2::text[])
  AND token.token_id > $3
  AND (token.expires_at IS NULL OR token.expires_at > $5)
  AND token.sealed_value IS NOT NULL
  AND NOT (token.is_unproven AND NOT token.is_vouched AND token.last_accepted_at IS NULL)
ORDER BY token.token_id
LIMIT $4;

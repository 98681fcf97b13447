-- The feed of tokens for senders: all of an app's, or one account's.

-- name: page_tokens
-- Which tokens are next in the feed for senders? Tokens of these states in order of token_id. All tokens read
-- are returned, so that a page ends where the next one begins; those that do not match, or are unproven, have
-- no value.
-- $1 app_id, $2 state[], $3 after this token, $4 limit, $5 now, $6 only with this tag; null: with any tags
-- OFFSET 0 keeps the joins to the tokens of the page.
SELECT token.token_id,
       CASE WHEN (token.expires_at IS NULL OR token.expires_at > $5)
             AND ($6::text IS NULL OR installation.tags @> ARRAY[$6])
             AND NOT {{unproven(token)}}
            THEN token.sealed_value END AS sealed_value,
       token.sealed_keys,
       token.provider, token.kind, token.environment, token.topic, token.last_registered_at, token.expires_at,
       installation.device_id::text AS device_id,
       (SELECT binding.account FROM landfall.account_binding AS binding
        WHERE binding.installation_id = token.installation_id AND binding.unbound_at IS NULL AND binding.is_verified
        ORDER BY binding.bound_at DESC LIMIT 1) AS account,
       token.state
FROM (SELECT known.*
      FROM unnest($2::text[]) AS wanted (state)
      CROSS JOIN LATERAL (SELECT state_token.*
                          FROM landfall.token AS state_token
                          WHERE state_token.app_id = $1 AND state_token.state = wanted.state AND state_token.token_id > $3
                          ORDER BY state_token.token_id LIMIT $4 OFFSET 0) AS known
      ORDER BY known.token_id LIMIT $4 OFFSET 0) AS token
LEFT JOIN landfall.installation ON installation.installation_id = token.installation_id
ORDER BY token.token_id;

-- name: page_tokens_of_account
-- The same as page_tokens for one account: the tokens of the installations on which it is signed in and
-- verified.
-- $1 app_id, $2 state[], $3 after this token, $4 limit, $5 now, $6 only with this tag; null: with any tags,
-- $7 account OFFSET 0 keeps the planner from starting with all of the app's installations or tokens.
SELECT token.token_id, token.sealed_value, token.sealed_keys, token.provider, token.kind, token.environment,
       token.topic, token.last_registered_at, token.expires_at, installation.device_id::text AS device_id, binding.account,
       token.state
FROM landfall.account_binding AS binding
CROSS JOIN LATERAL (
    SELECT known.installation_id, known.device_id FROM landfall.installation AS known
    WHERE known.installation_id = binding.installation_id AND known.app_id IS NOT DISTINCT FROM $1
      AND ($6::text IS NULL OR known.tags @> ARRAY[$6])
    OFFSET 0
) AS installation
CROSS JOIN LATERAL (
    SELECT known.* FROM landfall.token AS known
    WHERE known.installation_id = installation.installation_id AND known.app_id IS NOT DISTINCT FROM $1
    OFFSET 0
) AS token
WHERE binding.app_id = $1 AND binding.account = $7 AND binding.unbound_at IS NULL AND binding.is_verified
  AND token.state = ANY ($2::text[]) AND token.token_id > $3
  AND (token.expires_at IS NULL OR token.expires_at > $5) AND token.sealed_value IS NOT NULL
  AND NOT {{unproven(token)}}
ORDER BY token.token_id LIMIT $4;

-- Which tokens do these addresses name, under exactly this topic, and who holds them? At most one row per address.
-- $1 app_id, $2 provider, $3 environment, $4 topic, $5 fingerprint[]
-- A merged token is not one of its own: resolve_tokens_of_any_address.sql finds the registered one.
-- OFFSET 0 keeps the planner from starting with all tokens of the app instead of the few addresses.
SELECT asked.position,
       token.token_id,
       token.state,
       token.installation_id,
       token.last_registered_at,
       token.last_accepted_at,
       token.first_rejected_at,
       token.last_rejected_at,
       token.cause,
       token.died_at,
       token.is_vouched,
       token.first_ignored_at,
       token.ignored_count,
       token.returned_at,
       token.platform,
       token.app_version,
       token.os_version,
       token.language,
       token.permission,
       token.kind
FROM unnest($5::bytea[]) WITH ORDINALITY AS asked (fingerprint, position)
CROSS JOIN LATERAL (
    SELECT known.*
    FROM landfall.token AS known
    WHERE known.fingerprint = asked.fingerprint
      AND known.app_id = $1
      AND known.provider = $2
      AND known.environment = $3
      AND known.topic = $4
      AND known.cause IS DISTINCT FROM 'merged'
    OFFSET 0
) AS token;

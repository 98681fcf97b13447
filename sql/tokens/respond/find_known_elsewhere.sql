-- What is known about these tokens, and in which other environment was the same value registered or accepted? One row per token.
-- $1 token_id[]
SELECT token.token_id,
       token.app_id,
       token.provider,
       token.environment,
       token.topic,
       coalesce(installation.app_version, '') AS app_version,
       sibling.environment AS other_environment,
       sibling.last_registered_at AS other_registered_at,
       sibling.last_accepted_at AS other_accepted_at
FROM landfall.token
LEFT JOIN landfall.installation
  ON installation.installation_id = token.installation_id
LEFT JOIN LATERAL (
    SELECT known.environment, known.last_registered_at, known.last_accepted_at
    FROM landfall.token AS known
    WHERE known.fingerprint = token.fingerprint
      AND known.app_id = token.app_id
      AND known.provider = token.provider
      AND known.environment <> token.environment
      AND (known.last_registered_at IS NOT NULL OR known.last_accepted_at IS NOT NULL)
    ORDER BY greatest(known.last_registered_at, known.last_accepted_at) DESC
    LIMIT 1
) AS sibling ON true
WHERE token.token_id = ANY ($1::bigint[]);

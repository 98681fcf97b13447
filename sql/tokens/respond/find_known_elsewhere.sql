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
    FROM (SELECT environment, last_registered_at, last_accepted_at
          FROM landfall.token AS other
          WHERE other.fingerprint = token.fingerprint
            AND other.app_id = token.app_id
            AND other.provider = token.provider
            AND other.environment <> token.environment
          UNION ALL
          SELECT environment, NULL, last_accepted_at
          FROM landfall.token_other_address AS said
          WHERE said.token_id = token.token_id
            AND said.provider = token.provider
            AND said.environment <> token.environment) AS known
    WHERE known.last_registered_at IS NOT NULL OR known.last_accepted_at IS NOT NULL
    ORDER BY greatest(known.last_registered_at, known.last_accepted_at) DESC
    LIMIT 1
) AS sibling ON true
WHERE token.token_id = ANY ($1::bigint[]);

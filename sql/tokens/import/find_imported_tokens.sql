-- What is known about these values, under any topic, and when did the retired ones die? One row per token.
-- $1 app_id, $2 provider[], $3 environment[], $4 fingerprint[]
-- A retired token died at the time that the provider stated, or else when the rejected push was sent; a rotated one, when its
-- successor was registered; any other, when it was retired.
-- OFFSET 0 keeps the planner from starting with all tokens of the app instead of the few values.
SELECT token.token_id, token.provider, token.environment, token.topic, token.fingerprint, token.kind, token.state,
       token.cause, token.installation_id, token.last_registered_at, token.last_rejected_at,
       CASE WHEN token.state = 'retired' THEN coalesce(death.at, token.state_changed_at) END AS died_at
FROM (SELECT DISTINCT provider, environment, fingerprint
      FROM unnest($2::text[], $3::text[], $4::bytea[]) AS value (provider, environment, fingerprint)) AS line
CROSS JOIN LATERAL (
    SELECT known.*
    FROM landfall.token AS known
    WHERE known.fingerprint = line.fingerprint
      AND known.app_id = $1
      AND known.provider = line.provider
      AND known.environment = line.environment
    OFFSET 0
) AS token
LEFT JOIN LATERAL (
    SELECT to_timestamp(coalesce(evidence ->> 'invalid_since', evidence ->> 'sent_at',
                                 CASE WHEN rule = 'rotated' THEN evidence ->> 'registered_at' END
                        )::double precision / 1000) AS at
    FROM landfall.token_transition
    WHERE token.state = 'retired'
      AND token_id = token.token_id
      AND to_state = 'retired'
      AND from_state IS DISTINCT FROM 'retired'
    ORDER BY transition_id DESC
    LIMIT 1
) AS death ON true
ORDER BY token.token_id;

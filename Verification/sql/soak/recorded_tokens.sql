-- What is recorded about these apps' tokens? One row per token, in the order in which they were first seen.
-- $1 app_id[]
SELECT token.app_id,
       token.token_id,
       token.fingerprint,
       token.environment,
       token.topic,
       token.kind,
       token.state,
       token.cause,
       token.sealed_value IS NOT NULL AS has_value,
       installation.device_id,
       successor.fingerprint AS successor,
       token.last_registered_at,
       token.last_accepted_at,
       token.first_rejected_at,
       token.last_rejected_at,
       token.died_at,
       token.last_sign_of_life_at,
       token.state_changed_at,
       token.expires_at,
       EXISTS (SELECT 1 FROM landfall.token_slot AS slot WHERE slot.token_id = token.token_id) AS holds_slot
FROM landfall.token
LEFT JOIN landfall.installation ON installation.installation_id = token.installation_id
LEFT JOIN landfall.token AS successor ON successor.token_id = token.successor_id
WHERE token.app_id = ANY ($1::bigint[])
ORDER BY token.token_id;

-- What is known about these tokens, and which devices hold them?
--
-- Parameters: $1 app, $2 token_id[].
-- Grain: one row per token of the app, in the order in which they were first seen.

SELECT token.token_id,
       encode(token.fingerprint, 'hex') AS fingerprint,
       token.provider,
       token.environment,
       token.topic,
       token.kind,
       token.state,
       token.cause,
       token.state_changed_at,
       token.successor_id,
       token.sealed_value IS NOT NULL AS has_value,
       EXISTS (SELECT 1
                 FROM landfall.token_slot AS slot
                WHERE slot.token_id = token.token_id
                  AND slot.app_id = token.app_id) AS holds_slot,
       token.installation_id,
       installation.device_id,
       token.first_seen_at,
       token.last_registered_at,
       token.last_accepted_at,
       token.first_rejected_at,
       token.last_rejected_at,
       -- A sign of life of the installation counts for the token until the token is retired.
       greatest(token.last_sign_of_life_at,
                CASE WHEN token.state = 'retired' THEN least(installation.last_sign_of_life_at, token.state_changed_at)
                     ELSE installation.last_sign_of_life_at
                END) AS last_sign_of_life_at
  FROM landfall.token
  LEFT JOIN landfall.installation
         ON installation.app_id = token.app_id AND installation.installation_id = token.installation_id
 WHERE token.app_id = $1
   AND token.token_id = ANY ($2::bigint[])
 ORDER BY token.first_seen_at, token.token_id;

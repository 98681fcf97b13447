-- The story of a token.

-- name: tokens
-- What is known about these tokens, and which devices hold them?
--
-- Parameters: $1 app, $2 token_id[].
-- Grain: one row per token of the app, in the order in which they were first seen.

SELECT token.token_id,
       encode(token.fingerprint, 'hex') AS fingerprint,
       token.provider, token.environment, token.topic, token.kind, token.state, token.cause,
       token.state_changed_at, token.successor_id,
       token.sealed_value IS NOT NULL AS has_value,
       EXISTS (SELECT 1
                 FROM landfall.token_slot AS slot
                WHERE slot.token_id = token.token_id
                  AND slot.app_id = token.app_id) AS holds_slot,
       token.installation_id, installation.device_id, token.first_seen_at, token.last_registered_at,
       token.last_accepted_at, token.first_rejected_at, token.last_rejected_at,
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

-- name: same_value
-- Under which other environments and topics is the value of this token known?
--
-- Parameters: $1 app, $2 token_id.
-- Grain: one row per other token with the same fingerprint.

SELECT other.token_id
  FROM landfall.token
  JOIN landfall.token AS other
    ON other.fingerprint = token.fingerprint
   AND other.app_id = token.app_id
   AND other.token_id <> token.token_id
 WHERE token.token_id = $2
   AND token.app_id = $1;

-- name: other_addresses
-- Which responses named this token under another address than the registered one?
--
-- Parameters: $1 app, $2 token_id.
-- Grain: one row per address, the most recently named first.

SELECT provider, environment, topic, last_said_at, response_count, last_accepted_at, last_rejected_at, last_status, last_reason
  FROM landfall.token_other_address
 WHERE app_id = $1
   AND token_id = $2
 ORDER BY last_said_at DESC, provider, environment, topic;

-- name: ledger
-- What does the ledger say about these tokens, and how many transitions does it have of them?
--
-- Parameters: $1 app, $2 token_id[], $3 limit.
-- Grain: one row per transition, the newest first.

SELECT transition_id, token_id, at, from_state, to_state, rule, evidence::text AS evidence, run_id,
       count(*) OVER () AS transition_count
  FROM landfall.token_transition
 WHERE app_id = $1
   AND token_id = ANY ($2::bigint[])
 ORDER BY transition_id DESC
 LIMIT $3;

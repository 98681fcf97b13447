-- The story of a token.

-- name: tokens
-- What is known about these tokens, and which devices hold them?
--
-- Parameters: $1 app, $2 token_id[].
-- Grain: one row per token of the app, in the order in which they were first seen.

SELECT token_id, encode(fingerprint, 'hex') AS fingerprint, provider, environment, topic, kind, state, cause,
       state_changed_at, successor_id, sealed_value IS NOT NULL AS has_value,
       EXISTS (SELECT
                 FROM landfall.token_slot AS slot
                WHERE slot.token_id = token.token_id AND slot.app_id = token.app_id) AS holds_slot,
       installation_id, device_id, first_seen_at, token.last_registered_at, last_accepted_at, first_rejected_at,
       last_rejected_at,
       -- A sign of life of the installation counts for the token until the token is retired.
       greatest(token.last_sign_of_life_at,
                CASE WHEN token.state = 'retired' THEN least(installation.last_sign_of_life_at, token.state_changed_at)
                     ELSE installation.last_sign_of_life_at
                END) AS last_sign_of_life_at
  FROM landfall.token
  LEFT JOIN landfall.installation USING (app_id, installation_id)
 WHERE token.app_id = $1 AND token.token_id = ANY ($2::bigint[])
 ORDER BY token.first_seen_at, token.token_id;

-- name: same_value
-- Under which other environments and topics is the value of this token known?
--
-- Parameters: $1 app, $2 token_id.
-- Grain: one row per other token with the same fingerprint.

SELECT other.token_id
  FROM landfall.token
  JOIN landfall.token AS other USING (fingerprint, app_id)
 WHERE token.token_id = $2 AND token.app_id = $1 AND other.token_id <> token.token_id;

-- name: other_addresses
-- Which responses named this token under another address than the registered one?
--
-- Parameters: $1 app, $2 token_id.
-- Grain: one row per address, the most recently named first.

SELECT provider, environment, topic, last_said_at, response_count AS responses, last_accepted_at,
       last_rejected_at, last_status, last_reason
  FROM landfall.token_other_address
 WHERE app_id = $1 AND token_id = $2
 ORDER BY last_said_at DESC, provider, environment, topic;

-- name: ledger
-- What does the ledger say about these tokens, and how many transitions does it have of them?
--
-- Parameters: $1 app, $2 token_id[], $3 limit.
-- Grain: one row per transition, the newest first.

SELECT transition_id, token_id, at, from_state, to_state, rule AS rule_name, evidence::text AS evidence, run_id,
       count(*) OVER () AS transition_count
  FROM landfall.token_transition
 WHERE app_id = $1 AND token_id = ANY ($2::bigint[])
 ORDER BY transition_id DESC
 LIMIT $3;

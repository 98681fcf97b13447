-- Diagnoses of registrations: doubtful tokens, unproven tokens, claimed accounts.

-- name: doubtful_tokens
-- Which tokens do apps register in ways that real devices do not?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive) of the decisions, $4 from (inclusive) of the
-- returns of values,
-- $5 the minimum number of devices that registered a value. Grain: one row per kind of doubt. `amount` counts
-- devices (alternating) or tokens, `token_id` is one of the tokens, and `reason` is the provider's. Tokens
-- for which only the public device key speaks do not count as alternating.

SELECT 'alternating' AS doubt, count(DISTINCT installation_id) AS amount, min(token_id) AS token_id, '' AS reason
  FROM (SELECT installation_id, min(token_id) AS token_id
          FROM landfall.token
         WHERE app_id = $1 AND returned_at >= $4 AND returned_at < $3
           AND (is_vouched OR last_accepted_at IS NOT NULL)
         GROUP BY installation_id, kind, environment, topic
        HAVING count(*) > 1) AS slot
HAVING count(*) > 0
UNION ALL
SELECT 'wandering', count(*), min(moved.token_id), ''
  FROM (SELECT token_id
          FROM landfall.token_transition
         WHERE app_id = $1 AND rule = 'transferred' AND at >= $2 AND at < $3
         GROUP BY token_id
        HAVING count(DISTINCT evidence ->> 'to_installation_id') >= $5) AS moved
HAVING count(*) > 0
UNION ALL
SELECT 'dead', count(DISTINCT token_id), min(token_id), coalesce(min(evidence ->> 'reason'), '')
  FROM landfall.token_transition
 WHERE app_id = $1 AND rule = 'late_410_repeated' AND at >= $2 AND at < $3
HAVING count(*) > 0;

-- name: unproven_tokens
-- How many tokens from devices are unproven, so that no feed contains them, and of how many installations?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive) of the registration. Grain: one row.
SELECT count(*) AS tokens, count(DISTINCT installation_id) AS installations
  FROM landfall.token
 WHERE app_id = $1 AND is_unproven AND NOT is_vouched AND last_accepted_at IS NULL AND state <> 'retired'
   AND last_registered_at >= $2 AND last_registered_at < $3;

-- name: claimed_accounts
-- How many accounts that signed in recently does only the device name, without a proof of the app's backend?
--
-- Parameters: $1 app, $2 from (inclusive) and $3 to (exclusive). Grain: one row.

SELECT count(*) AS binding_count, count(*) FILTER (WHERE NOT is_verified) AS claimed_count
  FROM landfall.account_binding
 WHERE app_id = $1 AND bound_at >= $2 AND bound_at < $3;

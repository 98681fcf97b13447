-- A registration's tokens: locked, registered, merged, described. A device that logs out retires them.

-- name: lock_token
-- What is known about this value? Locks the token until the registration is done.
-- $1 fingerprint, $2 app_id, $3 provider, $4 environment, $5 topic
-- A token that was first seen or is now registered without a topic is the same token.
SELECT token_id, state, installation_id, last_registered_at, last_accepted_at, first_rejected_at, last_rejected_at,
       cause, died_at, is_vouched, {{unproven(token)}} AS is_unproven, first_ignored_at, ignored_count, returned_at,
       topic, kind, sealed_value, sealed_keys
FROM landfall.token
WHERE fingerprint = $1 AND app_id = $2 AND provider = $3 AND environment = $4 AND (topic = $5 OR topic = '' OR $5 = '')
ORDER BY topic = $5 DESC, last_registered_at DESC NULLS LAST, token_id LIMIT 1
FOR UPDATE;

-- name: name_topic
-- Gives a token that was first seen without a topic the topic it was registered under.
-- $1 token_id, $2 topic
UPDATE landfall.token SET topic = $2 WHERE token_id = $1 AND topic = '';

-- name: register_token
-- Makes a token an active token of an installation.
-- $1 app_id, $2 provider, $3 environment, $4 topic, $5 fingerprint, $6 kind, $7 sealed_value, $8
-- installation_id, $9 instant of the registration, $10 now, $11 when the value stops working, or null, $12
-- when it last returned to its slot, or null, $13 does a server vouch for it, $14 sealed_keys; null keeps the
-- known ones
INSERT INTO landfall.token AS known (app_id, provider, environment, topic, fingerprint, kind, sealed_value,
                                     installation_id, state, first_seen_at, last_registered_at, last_sign_of_life_at,
                                     state_changed_at, expires_at, returned_at, is_vouched, sealed_keys)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'active', $9, $9, $9, $10, $11, $12, $13, $14)
ON CONFLICT (fingerprint, app_id, provider, environment, topic) DO UPDATE
SET kind = excluded.kind, sealed_value = excluded.sealed_value, installation_id = excluded.installation_id,
    state = 'active', cause = NULL, successor_id = NULL, first_rejected_at = NULL, last_rejected_at = NULL,
    died_at = NULL, expires_at = excluded.expires_at, returned_at = excluded.returned_at,
    is_vouched = known.is_vouched OR excluded.is_vouched,
    sealed_keys = coalesce(excluded.sealed_keys, known.sealed_keys),
    first_ignored_at = CASE WHEN known.installation_id = excluded.installation_id THEN known.first_ignored_at END,
    ignored_count = CASE WHEN known.installation_id = excluded.installation_id THEN known.ignored_count ELSE 0 END,
    last_registered_at = greatest(known.last_registered_at, excluded.last_registered_at),
    last_sign_of_life_at = greatest(known.last_sign_of_life_at, excluded.last_sign_of_life_at),
    state_changed_at = CASE WHEN known.state = 'active' THEN known.state_changed_at ELSE $10 END
RETURNING known.token_id;

-- name: merge_tokens
-- Retires the tokens that responses named under other addresses of values that an app has just registered,
-- and records that in the ledger. Only the registered tokens remain.
-- $1 app_id, $2 fingerprint[], $3 token_id[] of the registered tokens, $4 their installation_id[], or null,
-- $5 now. Messages that wait for their holder find it by the installation. Does nothing in an app that is
-- being moved.
WITH found AS MATERIALIZED (
    SELECT token.token_id, token.state, registered.token_id AS successor_id, registered.installation_id
    FROM unnest($2::bytea[], $3::bigint[], $4::bigint[]) AS registered (fingerprint, token_id, installation_id)
    CROSS JOIN LATERAL (
        SELECT known.token_id, known.state FROM landfall.token AS known
        WHERE known.fingerprint = registered.fingerprint AND known.app_id = $1
          AND known.token_id <> registered.token_id AND known.last_registered_at IS NULL
          AND known.cause IS DISTINCT FROM 'merged'
        OFFSET 0
        FOR UPDATE
    ) AS token
    WHERE $1 <> ALL ({{moving_apps}})
), merged AS (
    UPDATE landfall.token
    SET state = 'retired', cause = 'merged', successor_id = found.successor_id, installation_id = found.installation_id,
        state_changed_at = CASE WHEN found.state = 'retired' THEN token.state_changed_at ELSE $5 END
    FROM found
    WHERE token.token_id = found.token_id AND token.state IS NOT DISTINCT FROM found.state
    RETURNING token.token_id, found.state AS state_before, found.successor_id
)
INSERT INTO landfall.token_transition (app_id, token_id, at, from_state, to_state, rule, evidence)
SELECT $1, token_id, $5, state_before, 'retired', 'merged', jsonb_build_object('successor_token_id', successor_id)
FROM merged
ORDER BY token_id;

-- name: find_strays
-- Which registered tokens have a value that a response has named under another address since, and that was
-- not merged? One row per registered token.
-- $1 token_id[] of registered tokens, or of those that responses named OFFSET 0 makes the planner look up
-- each token, however many it expects.
SELECT DISTINCT registered.app_id, registered.fingerprint, registered.token_id, registered.installation_id
FROM unnest($1::bigint[]) AS asked (token_id)
CROSS JOIN LATERAL (
    SELECT known.app_id, known.fingerprint FROM landfall.token AS known
    WHERE known.token_id = asked.token_id
    OFFSET 0
) AS value
CROSS JOIN LATERAL (
    SELECT known.app_id, known.fingerprint, known.token_id, known.installation_id
    FROM landfall.token AS known
    WHERE known.fingerprint = value.fingerprint AND known.app_id = value.app_id
      AND known.last_registered_at IS NOT NULL AND known.installation_id IS NOT NULL
    ORDER BY known.last_registered_at DESC, known.token_id LIMIT 1
) AS registered
CROSS JOIN LATERAL (
    SELECT known.token_id FROM landfall.token AS known
    WHERE known.fingerprint = registered.fingerprint AND known.app_id = registered.app_id
      AND known.last_registered_at IS NULL AND known.cause IS DISTINCT FROM 'merged'
    LIMIT 1
) AS stray;

-- name: describe_tokens
-- Copies what installations say about themselves to all of their tokens, so that responses find it without a
-- lookup of the installation.
-- $1 app_id, $2 installation_id[]; each installation once
--
-- OFFSET 0 and IS NOT DISTINCT FROM keep the planner from reading the indexes of all installations and tokens
-- of the app.
UPDATE landfall.token
SET platform = installation.platform, app_version = installation.app_version, os_version = installation.os_version,
    language = installation.language, permission = installation.permission
FROM unnest($2::bigint[]) AS asked (installation_id)
CROSS JOIN LATERAL (
    SELECT known.* FROM landfall.installation AS known
    WHERE known.installation_id = asked.installation_id AND known.app_id IS NOT DISTINCT FROM $1
    OFFSET 0
) AS installation
WHERE token.installation_id = installation.installation_id
  AND token.app_id IS NOT DISTINCT FROM installation.app_id
  AND (token.platform, token.app_version, token.os_version, token.language, token.permission)
      IS DISTINCT FROM (installation.platform, installation.app_version, installation.os_version, installation.language,
                        installation.permission);

-- name: doubt_unlisted_tokens
-- Marks the tokens of an installation stale if it says at every registration that it has none, and records
-- that in the ledger.
-- $1 app_id, $2 installation_id, $3 now, $4 the minimum number of UTC days with such registrations, $5 the
-- first of them was at or before this instant
WITH tokenless AS (
    SELECT installation_id, tokenless_since FROM landfall.installation
    WHERE installation_id = $2 AND tokenless_visits >= $4 AND tokenless_since <= $5
), found AS (
    SELECT token.token_id, token.state, tokenless.tokenless_since
    FROM tokenless
    JOIN landfall.token ON token.installation_id = tokenless.installation_id
    WHERE token.app_id = $1 AND token.state IN ('active', 'suspect')
      AND token.last_registered_at < tokenless.tokenless_since
    ORDER BY token.token_id
    FOR UPDATE OF token
), doubted AS (
    UPDATE landfall.token
    SET state = 'stale', cause = 'unlisted', state_changed_at = $3
    FROM found
    WHERE token.token_id = found.token_id
    RETURNING token.token_id, found.state AS state_before, found.tokenless_since
)
INSERT INTO landfall.token_transition (app_id, token_id, at, from_state, to_state, rule, evidence)
SELECT $1, token_id, $3, state_before, 'stale', 'unlisted',
       jsonb_build_object('silent_since', (extract(epoch FROM tokenless_since) * 1000)::bigint)
FROM doubted
ORDER BY token_id;

-- name: log_out
-- Retires every token of an installation and frees its slots; the ledger has the reason. One row per token.
-- $1 app_id, $2 installation_id, $3 now Tokens that responses had retired get the new cause, too: neither a
-- restoration nor a late acceptance may revive them for a user who logged out.
WITH holding AS (
    SELECT token_id, state FROM landfall.token
    WHERE installation_id = $2 AND app_id = $1
      AND (state <> 'retired' OR cause IN ('unregistered', 'bad_token', 'confirmed'))
), freed AS (
    DELETE FROM landfall.token_slot WHERE installation_id = $2
), retired AS (
    UPDATE landfall.token
    SET state = 'retired', cause = 'logged_out',
        state_changed_at = CASE WHEN holding.state = 'retired' THEN token.state_changed_at ELSE $3 END
    FROM holding
    WHERE token.token_id = holding.token_id
    RETURNING token.token_id, holding.state AS state_before
)
INSERT INTO landfall.token_transition (app_id, token_id, at, from_state, to_state, rule, evidence)
SELECT $1, token_id, $3, state_before, 'retired', 'logged_out', jsonb_build_object('from_installation_id', $2)
FROM retired
ORDER BY token_id
RETURNING token_id;

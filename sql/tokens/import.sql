-- An import of installations and tokens from a table: known ones are read, changes written.

-- name: find_imported_installations
-- Which installations do these devices have, when did each last register, and was it erased? One row per
-- device found, with its position.
-- $1 app_id, $2 device_id[] OFFSET 0 keeps the planner from starting with all installations of the app
-- instead of the few devices.
SELECT line.position, installation.installation_id, installation.last_registered_at,
       installation.erased_at IS NOT NULL AS is_erased
FROM unnest($2::uuid[]) WITH ORDINALITY AS line (device_id, position)
CROSS JOIN LATERAL (
    SELECT known.* FROM landfall.installation AS known
    WHERE known.app_id = $1 AND known.device_id = line.device_id
    OFFSET 0
) AS installation;

-- name: import_installations
-- Records what a table says about installations. Columns that it leaves out keep their values, and
-- installations that registered later or were erased do not change.
-- $1 app_id, $2 device_id[], $3 platform[], $4 app_version[], $5 os_version[], $6 language[], $7
-- permission[], $8 tags (JSON text)[], $9 instant of the registration[]; each device once
INSERT INTO landfall.installation AS known (app_id, device_id, platform, app_version, os_version, language, permission,
                                            tags, first_registered_at, last_registered_at, last_sign_of_life_at)
SELECT $1, device_id, coalesce(platform, ''), coalesce(app_version, ''), coalesce(os_version, ''),
       coalesce(language, ''), coalesce(permission, ''),
       ARRAY(SELECT jsonb_array_elements_text(coalesce(tags, '[]')::jsonb)),
       registered_at, registered_at, registered_at
FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::timestamptz[])
     AS line (device_id, platform, app_version, os_version, language, permission, tags, registered_at)
ORDER BY device_id
ON CONFLICT (app_id, device_id) DO UPDATE
SET platform             = coalesce(nullif(excluded.platform, ''), known.platform),
    app_version          = coalesce(nullif(excluded.app_version, ''), known.app_version),
    os_version           = coalesce(nullif(excluded.os_version, ''), known.os_version),
    language             = coalesce(nullif(excluded.language, ''), known.language),
    permission           = coalesce(nullif(excluded.permission, ''), known.permission),
    tags                 = CASE WHEN excluded.tags = '{}' THEN known.tags ELSE excluded.tags END,
    last_registered_at   = excluded.last_registered_at,
    last_sign_of_life_at = greatest(known.last_sign_of_life_at, excluded.last_sign_of_life_at)
WHERE known.last_registered_at <= excluded.last_registered_at AND known.erased_at IS NULL;

-- name: find_imported_tokens
-- What is known about these values, under any topic, and when did the retired ones die? One row per token.
-- $1 app_id, $2 provider[], $3 environment[], $4 fingerprint[]. A retired token died when the provider
-- stated, or else when the rejected push was sent; a replaced one, when its successor was registered; any
-- other, when it was retired. OFFSET 0 keeps the planner from starting with all tokens of the app.
SELECT token.token_id, token.provider, token.environment, token.topic, token.fingerprint, token.kind, token.state,
       -- A merged token whose value was erased stays merged (erase_installation). An import does not bring it
       -- back.
       CASE WHEN token.cause = 'merged'
             AND (SELECT bool_or(entry.rule = 'erased') FROM landfall.token_transition AS entry
                  WHERE entry.token_id = token.token_id) THEN 'erased' ELSE token.cause END AS cause,
       token.installation_id, token.last_registered_at, token.last_rejected_at, token.sealed_value, token.sealed_keys,
       {{unproven(token)}} AS is_unproven,
       CASE WHEN token.state = 'retired' THEN coalesce(death.at, token.state_changed_at) END AS died_at
FROM (SELECT DISTINCT provider, environment, fingerprint
      FROM unnest($2::text[], $3::text[], $4::bytea[]) AS value (provider, environment, fingerprint)) AS line
CROSS JOIN LATERAL (
    SELECT known.* FROM landfall.token AS known
    WHERE known.fingerprint = line.fingerprint AND known.app_id = $1 AND known.provider = line.provider
      AND known.environment = line.environment
    OFFSET 0
) AS token
LEFT JOIN LATERAL (
    SELECT to_timestamp(coalesce(evidence ->> 'invalid_since', evidence ->> 'sent_at',
                                 CASE WHEN rule IN ('rotated', 'provider_migration') THEN evidence ->> 'registered_at' END
                        )::double precision / 1000) AS at
    FROM landfall.token_transition
    WHERE token.state = 'retired' AND token_id = token.token_id AND to_state = 'retired'
      AND from_state IS DISTINCT FROM 'retired'
    ORDER BY transition_id DESC LIMIT 1
) AS death ON true
ORDER BY token.token_id;

-- name: find_imported_slots
-- Which slots do these installations have, or these tokens hold, and what is known of the token in each? One
-- row per slot.
-- $1 app_id, $2 installation_id[], $3 token_id[]. OFFSET 0 keeps the planner from starting with all tokens of
-- the app. died_at is null here: find_imported_tokens returns it when the value is looked up.
SELECT slot.installation_id AS slot_installation_id, slot.kind AS slot_kind, slot.environment AS slot_environment,
       slot.topic AS slot_topic,
       token.token_id, token.provider, token.environment, token.topic, token.fingerprint, token.kind, token.state,
       token.cause, token.installation_id, token.last_registered_at, token.last_rejected_at, token.sealed_value,
       token.sealed_keys, {{unproven(token)}} AS is_unproven, NULL::timestamptz AS died_at
FROM (SELECT installation_id, kind, environment, topic, token_id
      FROM landfall.token_slot WHERE installation_id = ANY ($2::bigint[])
      UNION
      SELECT installation_id, kind, environment, topic, token_id
      FROM landfall.token_slot WHERE token_id = ANY ($3::bigint[])) AS slot
CROSS JOIN LATERAL (
    SELECT known.* FROM landfall.token AS known
    WHERE known.token_id = slot.token_id AND known.app_id IS NOT DISTINCT FROM $1
    OFFSET 0
) AS token
ORDER BY token.token_id;

-- name: import_tokens
-- Adds tokens that a table names. One row per token added; fewer than given if another transaction added some
-- first.
-- $1 app_id, $2 provider[], $3 environment[], $4 topic[], $5 fingerprint[], $6 kind[], $7 sealed_value[], $8
-- installation_id[],
-- $9 state[], $10 cause[], $11 first and $12 last registered at[], $13 now, $14 sealed_keys[]
INSERT INTO landfall.token (app_id, provider, environment, topic, fingerprint, kind, sealed_value, installation_id,
                            state, cause, first_seen_at, last_registered_at, last_sign_of_life_at, state_changed_at,
                            is_vouched, sealed_keys)
SELECT $1, provider, environment, topic, fingerprint, kind, sealed_value, installation_id, state, cause,
       first_registered_at, last_registered_at, last_registered_at, $13, true, sealed_keys
FROM unnest($2::text[], $3::text[], $4::text[], $5::bytea[], $6::text[], $7::bytea[], $8::bigint[], $9::text[],
            $10::text[], $11::timestamptz[], $12::timestamptz[], $14::bytea[])
     AS line (provider, environment, topic, fingerprint, kind, sealed_value, installation_id, state, cause,
              first_registered_at, last_registered_at, sealed_keys)
ORDER BY fingerprint, provider, environment, topic
ON CONFLICT (fingerprint, app_id, provider, environment, topic) DO NOTHING
RETURNING token_id, provider, environment, topic, fingerprint;

-- name: change_imported_tokens
-- Writes an import's changes to known tokens, if each is still as the import read it, to the millisecond. One
-- row per token written. A sealed value means a registration: without one, the token only lost its slot.
-- $1 app_id, $2 token_id[]; as the import read them: $3 state[], $4 installation_id[], $5
-- last_registered_at[]; new values:
-- $6 topic[], $7 kind[], $8 sealed_value[], $9 installation_id[], $10 state[], $11 cause[], $12
-- last_registered_at[]; $13 now; $14 sealed_keys[], null keeps the known ones. OFFSET 0 hides from the
-- planner that the app is the same for all rows, or it would read all of the app's tokens.
UPDATE landfall.token
SET topic = change.topic, kind = change.kind, installation_id = change.installation_id, state = change.state,
    cause = change.cause, sealed_value = coalesce(change.sealed_value, token.sealed_value),
    sealed_keys = coalesce(change.sealed_keys, token.sealed_keys),
    successor_id = CASE WHEN change.sealed_value IS NULL THEN token.successor_id END,
    first_rejected_at = CASE WHEN change.sealed_value IS NULL THEN token.first_rejected_at END,
    last_rejected_at = CASE WHEN change.sealed_value IS NULL THEN token.last_rejected_at END,
    is_vouched = token.is_vouched OR change.sealed_value IS NOT NULL,
    last_registered_at = change.last_registered_at,
    last_sign_of_life_at = greatest(token.last_sign_of_life_at, change.last_registered_at),
    state_changed_at = CASE WHEN change.state = token.state THEN token.state_changed_at ELSE $13 END
FROM (SELECT $1::bigint AS app_id, line.*
      FROM unnest($2::bigint[], $3::text[], $4::bigint[], $5::timestamptz[], $6::text[], $7::text[], $8::bytea[],
                  $9::bigint[], $10::text[], $11::text[], $12::timestamptz[], $14::bytea[])
           AS line (token_id, state_before, installation_before, registered_before, topic, kind, sealed_value,
                    installation_id, state, cause, last_registered_at, sealed_keys)
      OFFSET 0) AS change
WHERE token.token_id = change.token_id AND token.app_id = change.app_id
  AND token.state IS NOT DISTINCT FROM change.state_before
  AND token.installation_id IS NOT DISTINCT FROM change.installation_before
  AND date_bin('1 ms', token.last_registered_at, '1970-01-01 00:00:00+00') IS NOT DISTINCT FROM change.registered_before
RETURNING token.token_id;

-- name: name_successors
-- Links tokens that lost their slot to those that took it.
-- $1 app_id, $2 token_id[], $3 successor's token_id[] OFFSET 0 hides from the planner that the app is the
-- same for all rows, or it would read all of the app's tokens.
UPDATE landfall.token SET successor_id = link.successor_id
FROM (SELECT $1::bigint AS app_id, line.*
      FROM unnest($2::bigint[], $3::bigint[]) AS line (token_id, successor_id)
      OFFSET 0) AS link
WHERE token.token_id = link.token_id AND token.app_id = link.app_id;

-- name: bind_imported_accounts
-- Binds accounts to installations, unless they are already bound, and ends those installations' bindings to
-- other accounts. What a table says is verified.
-- $1 app_id, $2 installation_id[], $3 account[], $4 instant[]; each installation once. IS NOT DISTINCT FROM
-- keeps the planner from using an index that leads from an app to all of its accounts. Only the WITH clause
-- reads tables, as in bind_account.
WITH line AS (
    SELECT installation_id, account, at
    FROM unnest($2::bigint[], $3::text[], $4::timestamptz[]) AS line (installation_id, account, at)
), verified AS (
    UPDATE landfall.account_binding AS binding SET is_verified = true
    FROM line
    WHERE binding.installation_id = line.installation_id AND binding.app_id IS NOT DISTINCT FROM $1
      AND binding.account = line.account AND binding.unbound_at IS NULL AND NOT binding.is_verified
), ended AS (
    UPDATE landfall.account_binding AS binding SET unbound_at = line.at
    FROM line
    WHERE binding.installation_id = line.installation_id AND binding.app_id IS NOT DISTINCT FROM $1
      AND binding.account <> line.account AND binding.unbound_at IS NULL
), unbound AS (
    SELECT installation_id, account, at FROM line
    WHERE NOT EXISTS (SELECT 1
                      FROM landfall.account_binding AS binding
                      WHERE binding.installation_id = line.installation_id AND binding.account = line.account
                        AND binding.unbound_at IS NULL)
)
INSERT INTO landfall.account_binding (app_id, installation_id, account, is_verified, bound_at)
SELECT $1, installation_id, account, true, at FROM unbound
ORDER BY installation_id
ON CONFLICT (installation_id, account, bound_at) DO UPDATE SET unbound_at = NULL, is_verified = true;

-- Keys with which an app's backend signs. They are sealed with the token key.

-- name: create_signing_key
-- Stores a new signing key, unless two of its kind are valid: one is in use, and one replaces it. For
-- intake secrets, whose prefix is the name of their preset, the limit is two per preset.
-- $1 app_id, $2 kind, $3 digest, $4 prefix, $5 now, $6 sealed_key
INSERT INTO landfall.api_key (app_id, kind, digest, prefix, created_at, sealed_key)
SELECT $1, $2, $3, $4, $5, $6
WHERE (SELECT count(*) FROM landfall.api_key
        WHERE app_id = $1 AND kind = $2 AND revoked_at IS NULL AND (kind <> 'intake' OR prefix = $4)) < 2
RETURNING api_key_id;

-- name: find_trust
-- What does an app demand of devices, how much may they post, and with which keys does its backend sign? One
-- row per valid signing key, newest first, or one without a key.
-- $1 app_id
SELECT app.settings ->> 'accounts' AS accounts, app.settings ->> 'credentials' AS credentials,
       app.settings ->> 'receipts' AS receipts, (app.settings ->> 'device_quota')::bigint AS device_quota,
       key.kind, key.prefix, key.sealed_key
FROM landfall.app
LEFT JOIN landfall.api_key AS key
       ON key.app_id = app.app_id AND key.revoked_at IS NULL AND key.sealed_key IS NOT NULL
WHERE app.app_id = $1
ORDER BY key.api_key_id DESC;

-- name: count_sealed_keys
-- How many signing keys do all apps have, including revoked ones?
SELECT count(*) AS key_count FROM landfall.api_key WHERE sealed_key IS NOT NULL;

-- name: next_sealed_keys
-- The next signing keys of a walk through those of all apps. $1 after this api_key_id, $2 limit
SELECT api_key_id, app_id, sealed_key FROM landfall.api_key
WHERE api_key_id > $1 AND sealed_key IS NOT NULL
ORDER BY api_key_id LIMIT $2;

-- name: reseal_keys
-- Stores signing keys sealed under another token key. $1 api_key_id[], $2 sealed_key[]
UPDATE landfall.api_key SET sealed_key = resealed.sealed_key
FROM unnest($1::bigint[], $2::bytea[]) AS resealed (api_key_id, sealed_key)
WHERE api_key.api_key_id = resealed.api_key_id;

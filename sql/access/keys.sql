-- Keys: created, listed, looked up for each request, revoked. Only their digests are stored.

-- name: create_key
-- Stores a new key by its digest.
-- $1 app_id, $2 kind, $3 digest, $4 prefix, $5 now
INSERT INTO landfall.api_key (app_id, kind, digest, prefix, created_at) VALUES ($1, $2, $3, $4, $5)
RETURNING api_key_id;

-- name: list_keys
-- Which keys does an app have? One row per key, including revoked ones.
-- $1 app_id
SELECT api_key_id AS key_id, kind, prefix, created_at, revoked_at FROM landfall.api_key
WHERE app_id = $1
ORDER BY api_key_id;

-- name: find_key
-- Which app does this bearer key belong to, or to which cell has the app moved? No row for an unknown,
-- revoked or signing-only key. $1 digest. Of two rows, the second is of a copy that has not become the app.
SELECT api_key.api_key_id, api_key.kind, app.app_id, app.slug,
       ARRAY(SELECT {{listed_in_setting(providers)}}) AS providers,
       ARRAY(SELECT {{listed_in_setting(cors_origins)}}) AS origins,
       NULL::integer AS cell
FROM landfall.api_key
JOIN landfall.app ON app.app_id = api_key.app_id
WHERE api_key.digest = $1 AND api_key.revoked_at IS NULL AND api_key.sealed_key IS NULL
  AND app.app_id <> ALL ({{departed_apps}})
UNION ALL
SELECT NULL, NULL, NULL, NULL, NULL, NULL, cell FROM landfall.key_redirect WHERE digest = $1
ORDER BY cell;

-- name: find_live_keys
-- Which of these digests belong to bearer keys that are not revoked, or to apps of other cells?
-- $1 digest[]
-- LIMIT makes the planner look up each digest in the indexes, however many it expects.
SELECT asked.digest
FROM unnest($1::bytea[]) AS asked (digest)
CROSS JOIN LATERAL (
    SELECT 1 FROM landfall.api_key
    WHERE api_key.digest = asked.digest AND api_key.revoked_at IS NULL AND api_key.sealed_key IS NULL
    UNION ALL
    SELECT 1 FROM landfall.key_redirect WHERE key_redirect.digest = asked.digest
    LIMIT 1
) AS known;

-- name: revoke_key
-- Revokes a key. No row if the app has no such key or it is already revoked.
-- $1 app_id, $2 api_key_id, $3 now
UPDATE landfall.api_key SET revoked_at = $3
WHERE app_id = $1 AND api_key_id = $2 AND revoked_at IS NULL
RETURNING api_key_id;

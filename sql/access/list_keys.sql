-- Which keys does an app have? One row per key, including revoked ones.
-- $1 app_id
SELECT api_key_id, kind, prefix, created_at, revoked_at
FROM landfall.api_key
WHERE app_id = $1
ORDER BY api_key_id;

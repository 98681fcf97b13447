-- The next signing keys of a walk through those of all apps. $1 after this api_key_id, $2 limit
SELECT api_key_id, app_id, sealed_key
FROM landfall.api_key
WHERE api_key_id > $1 AND sealed_key IS NOT NULL
ORDER BY api_key_id
LIMIT $2;

-- Revokes a key. No row if the app has no such key or it is already revoked.
-- $1 app_id, $2 api_key_id, $3 now
UPDATE landfall.api_key SET revoked_at = $3
WHERE app_id = $1 AND api_key_id = $2 AND revoked_at IS NULL
RETURNING api_key_id;

-- What does an app demand of devices, how much may they post, and with which keys does its backend sign? One row per valid signing key, newest first, or one
-- without a key.
-- $1 app_id
SELECT app.settings ->> 'accounts' AS accounts, app.settings ->> 'credentials' AS credentials,
       app.settings ->> 'receipts' AS receipts, (app.settings ->> 'device_quota')::bigint AS device_quota,
       key.kind, key.sealed_key
FROM landfall.app
LEFT JOIN landfall.api_key AS key
       ON key.app_id = app.app_id AND key.revoked_at IS NULL AND key.sealed_key IS NOT NULL
WHERE app.app_id = $1
ORDER BY key.api_key_id DESC;

-- Which installation does this device have, when was it erased, and which credential does it have? Locks it, so that registrations of
-- one installation run one after another.
-- $1 app_id, $2 device_id
SELECT installation_id, erased_at, credential_digest
FROM landfall.installation
WHERE app_id = $1 AND device_id = $2
FOR UPDATE;

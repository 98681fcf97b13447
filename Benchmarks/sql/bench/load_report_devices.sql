-- Registers installations with one active token each, without a ledger: reports do not read it.
-- $1 app_id, $2 topic, $3 registered at, $4 number of the first one, $5 how many
WITH device AS (
    SELECT number, md5('report' || number)::uuid AS device_id
    FROM generate_series($4::bigint, $4::bigint + $5::bigint - 1) AS number
), installed AS (
    INSERT INTO landfall.installation (app_id, device_id, platform, app_version, os_version, language, permission,
                                       first_registered_at, last_registered_at, last_sign_of_life_at)
    SELECT $1, device_id, 'ios', '7.' || number % 10 || '.0', '18.' || number / 10 % 5,
           (ARRAY['en', 'de', 'fr', 'ja'])[1 + number / 50 % 4], 'authorized', $3, $3, $3
    FROM device
    RETURNING installation_id, device_id
)
INSERT INTO landfall.token (app_id, provider, environment, topic, fingerprint, kind, sealed_value, installation_id, state,
                            first_seen_at, last_registered_at, last_sign_of_life_at, state_changed_at)
SELECT $1, 'apns', 'production', $2, sha256(int8send(number)), 'alert', sha256(int8send(-number)), installation_id,
       'active', $3, $3, $3, $3
FROM device
JOIN installed USING (device_id);

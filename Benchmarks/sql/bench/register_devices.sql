-- Registers installations with one active token each, with the same result as single registrations.
-- $1 app_id, $2 topic, $3 now, $4 device_id[], $5 app_version[], $6 os_version[], $7 language[], $8
-- fingerprint[],
-- $9 sealed_value[], $10 registered_at[]; one element per device, none of them known yet.
WITH device AS (
    SELECT *
    FROM unnest($4::uuid[], $5::text[], $6::text[], $7::text[], $8::bytea[], $9::bytea[], $10::timestamptz[])
         AS device (device_id, app_version, os_version, language, fingerprint, sealed_value, registered_at)
), installed AS (
    INSERT INTO landfall.installation (app_id, device_id, platform, app_version, os_version, language, permission,
                                       first_registered_at, last_registered_at, last_sign_of_life_at)
    SELECT $1, device_id, 'ios', app_version, os_version, language, 'authorized', registered_at, registered_at,
           registered_at
    FROM device
    RETURNING installation_id, device_id
), registered AS (
    INSERT INTO landfall.token (app_id, provider, environment, topic, fingerprint, kind, sealed_value,
                                installation_id, state, first_seen_at, last_registered_at, last_sign_of_life_at,
                                state_changed_at, platform, app_version, os_version, language, permission)
    SELECT $1, 'apns', 'production', $2, fingerprint, 'alert', sealed_value, installation_id, 'active',
           registered_at, registered_at, registered_at, $3, 'ios', app_version, os_version, language, 'authorized'
    FROM device
    JOIN installed USING (device_id)
    RETURNING token_id, installation_id
), slot AS (
    INSERT INTO landfall.token_slot (app_id, installation_id, kind, environment, topic, token_id)
    SELECT $1, installation_id, 'alert', 'production', $2, token_id
    FROM registered
)
INSERT INTO landfall.token_transition (app_id, token_id, at, to_state, rule, evidence)
SELECT $1, token_id, $3, 'active', 'registered', jsonb_build_object('to_installation_id', installation_id)
FROM registered;

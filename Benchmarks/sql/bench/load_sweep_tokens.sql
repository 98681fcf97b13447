-- Registers installations with one token each, in a realistic mix: of ten tokens, one has been stale for 40
-- days, one has been silent for 70 days but is still active, and eight were heard from within the last month.
-- $1 app_id, $2 topic, $3 now, $4 number of the first one, $5 how many
WITH device AS (
    SELECT number, md5('sweep' || number)::uuid AS device_id,
           $3 - CASE number % 10 WHEN 0 THEN 100 WHEN 5 THEN 70 ELSE number % 30 END * interval '1 day' AS heard_at
    FROM generate_series($4::bigint, $4::bigint + $5::bigint - 1) AS number
), installed AS (
    INSERT INTO landfall.installation (app_id, device_id, platform, app_version, os_version, language, permission,
                                       first_registered_at, last_registered_at, last_sign_of_life_at)
    SELECT $1, device_id, 'ios', '7.' || number % 5 || '.0', '18.' || number % 3, 'en', 'authorized', heard_at, heard_at,
           heard_at
    FROM device
    RETURNING installation_id, device_id
), registered AS (
    INSERT INTO landfall.token (app_id, provider, environment, topic, fingerprint, kind, sealed_value,
                                installation_id, state, cause, first_seen_at, last_registered_at, last_sign_of_life_at,
                                state_changed_at, platform, app_version, os_version, language, permission)
    SELECT $1, 'apns', 'production', $2, sha256(int8send(number)), 'alert',
           substr(sha256(int8send(-number)) || sha256(int8send(number + 1)) || sha256(int8send(number + 2)), 1, 92),
           installation_id, CASE WHEN number % 10 = 0 THEN 'stale' ELSE 'active' END,
           CASE WHEN number % 10 = 0 THEN 'stale' END, heard_at, heard_at, heard_at,
           CASE WHEN number % 10 = 0 THEN $3 - interval '40 days' ELSE heard_at END, 'ios',
           '7.' || number % 5 || '.0', '18.' || number % 3, 'en', 'authorized'
    FROM device
    JOIN installed USING (device_id)
    RETURNING token_id, installation_id, state, first_seen_at, state_changed_at
)
INSERT INTO landfall.token_transition (app_id, token_id, at, from_state, to_state, rule, evidence)
SELECT $1, token_id, at, from_state, to_state, rule, evidence
FROM registered
CROSS JOIN LATERAL (
    VALUES (first_seen_at, NULL, 'active', 'registered', jsonb_build_object('to_installation_id', installation_id)),
           (state_changed_at, 'active', 'stale', 'stale', '{}'::jsonb)
) AS step (at, from_state, to_state, rule, evidence)
WHERE step.rule = 'registered' OR registered.state = 'stale';

-- Interns the campaigns, segments and responses that reports are measured with: 50 campaigns and one stream
-- without, 200 segments (10 app versions, 5 OS versions, 4 languages), the response 200 and four rejections.
-- $1 app_id, $2 topic
WITH campaign AS (
    INSERT INTO landfall.campaign (app_id, key, variant)
    SELECT $1, '', ''
    UNION ALL
    SELECT $1, 'campaign-' || to_char(number, 'FM00'), CASE WHEN number % 5 = 0 THEN 'A' ELSE '' END
    FROM generate_series(0, 49) AS number
), segment AS (
    INSERT INTO landfall.segment (app_id, provider, environment, topic, push_type, priority, platform, app_version,
                                  os_version, language, permission)
    SELECT $1, 'apns', 'production', $2, 'alert', '10', 'ios', '7.' || number % 10 || '.0', '18.' || number / 10 % 5,
           (ARRAY['en', 'de', 'fr', 'ja'])[1 + number / 50], 'authorized'
    FROM generate_series(0, 199) AS number
)
INSERT INTO landfall.provider_response (provider, status, reason, outcome_class)
VALUES ('apns', 200, '', 'accepted'), ('apns', 410, 'Unregistered', 'token_dead'),
       ('apns', 400, 'BadDeviceToken', 'token_suspect'), ('apns', 429, 'TooManyRequests', 'throttled'),
       ('apns', 500, 'InternalServerError', 'provider_error');

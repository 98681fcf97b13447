-- Interns what loaded rows refer to: the campaigns, the segments of all installations, and the response 200.
-- $1 app_id, $2 topic, $3 campaign[]
WITH campaign AS (
    INSERT INTO landfall.campaign (app_id, key, variant)
    SELECT $1, key, '' FROM unnest($3::text[]) AS named (key)
), segment AS (
    INSERT INTO landfall.segment (app_id, provider, environment, topic, push_type, priority, platform, app_version,
                                  os_version, language, permission)
    SELECT DISTINCT app_id, 'apns', 'production', $2, 'alert', '10', platform, app_version, os_version, language,
                    permission
    FROM landfall.installation
    WHERE app_id = $1
)
INSERT INTO landfall.provider_response (provider, status, reason, outcome_class) VALUES ('apns', 200, '', 'accepted');

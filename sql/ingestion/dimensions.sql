-- Ids for a batch's words: campaigns, segments, provider responses. After the lookup, new words get ids.

-- name: find_campaigns
-- Which ids do these campaigns have? One row per campaign found, with its position.
-- $1 app_id[], $2 key[], $3 variant[]
SELECT asked.position, campaign.campaign_id
FROM unnest($1::bigint[], $2::text[], $3::text[]) WITH ORDINALITY AS asked (app_id, key, variant, position)
JOIN landfall.campaign
  ON campaign.app_id = asked.app_id AND campaign.key = asked.key AND campaign.variant = asked.variant;

-- name: intern_campaigns
-- Gives ids to campaigns that have none yet. Fails if one of the apps is being moved (SQLSTATE LF001): the
-- ids would be remembered, and not be in the other cell. $1 app_id[], $2 key[], $3 variant[]
INSERT INTO landfall.campaign (app_id, key, variant)
SELECT app_id, key, variant
FROM unnest($1::bigint[], $2::text[], $3::text[]) AS asked (app_id, key, variant)
WHERE app_id <> ALL ({{moving_apps}}) OR landfall.refuse_writing(app_id)
ORDER BY app_id, key, variant
ON CONFLICT (app_id, key, variant) DO NOTHING;

-- name: find_segments
-- Which ids do these segments have? One row per segment found, with its position.
-- $1 app_id[], $2 provider[], $3 environment[], $4 topic[], $5 push_type[], $6 priority[], $7 platform[],
-- $8 app_version[], $9 os_version[], $10 language[], $11 permission[]
SELECT asked.position, segment.segment_id
FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
            $10::text[], $11::text[])
     WITH ORDINALITY AS asked (app_id, provider, environment, topic, push_type, priority, platform, app_version,
                               os_version, language, permission, position)
JOIN landfall.segment
  ON segment.app_id = asked.app_id
 AND segment.digest = md5(asked.provider || E'\x1F' || asked.environment || E'\x1F' || asked.topic || E'\x1F'
                          || asked.push_type || E'\x1F' || asked.priority || E'\x1F' || asked.platform || E'\x1F'
                          || asked.app_version || E'\x1F' || asked.os_version || E'\x1F' || asked.language || E'\x1F'
                          || asked.permission)::uuid
 AND segment.provider = asked.provider
 AND segment.environment = asked.environment
 AND segment.topic = asked.topic
 AND segment.push_type = asked.push_type
 AND segment.priority = asked.priority
 AND segment.platform = asked.platform
 AND segment.app_version = asked.app_version
 AND segment.os_version = asked.os_version
 AND segment.language = asked.language
 AND segment.permission = asked.permission;

-- name: intern_segments
-- Gives ids to segments that have none yet. Fails as intern_campaigns does.
-- $1 app_id[], $2 provider[], $3 environment[], $4 topic[], $5 push_type[], $6 priority[], $7 platform[],
-- $8 app_version[], $9 os_version[], $10 language[], $11 permission[]
INSERT INTO landfall.segment (app_id, provider, environment, topic, push_type, priority, platform, app_version, os_version,
                              language, permission)
SELECT app_id, provider, environment, topic, push_type, priority, platform, app_version, os_version, language, permission
FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
            $10::text[], $11::text[])
     AS asked (app_id, provider, environment, topic, push_type, priority, platform, app_version, os_version, language,
               permission)
WHERE app_id <> ALL ({{moving_apps}}) OR landfall.refuse_writing(app_id)
ORDER BY app_id, provider, environment, topic, push_type, priority, platform, app_version, os_version, language,
         permission
ON CONFLICT (app_id, digest) DO NOTHING;

-- name: list_provider_reasons
-- What does each listed response of each provider mean?
SELECT provider, status, reason, outcome_class, token_verdict FROM landfall.provider_reason;

-- name: find_responses
-- Which ids do these provider responses have? One row per response found, with its position.
-- $1 provider[], $2 status[], $3 reason[]
SELECT asked.position, provider_response.response_id
FROM unnest($1::text[], $2::integer[], $3::text[]) WITH ORDINALITY AS asked (provider, status, reason, position)
JOIN landfall.provider_response
  ON provider_response.provider = asked.provider
 AND provider_response.status = asked.status
 AND provider_response.reason = asked.reason;

-- name: intern_responses
-- Gives ids to new provider responses. $1 provider[], $2 status[], $3 reason[], $4 outcome_class[]
INSERT INTO landfall.provider_response (provider, status, reason, outcome_class)
SELECT provider, status, reason, outcome_class
FROM unnest($1::text[], $2::integer[], $3::text[], $4::text[]) AS asked (provider, status, reason, outcome_class)
ORDER BY provider, status, reason
ON CONFLICT (provider, status, reason) DO NOTHING;

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

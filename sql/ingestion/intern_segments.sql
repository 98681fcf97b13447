-- Gives ids to segments that have none yet.
-- $1 app_id[], $2 provider[], $3 environment[], $4 topic[], $5 push_type[], $6 priority[], $7 platform[],
-- $8 app_version[], $9 os_version[], $10 language[], $11 permission[]
INSERT INTO landfall.segment (app_id, provider, environment, topic, push_type, priority, platform, app_version, os_version,
                              language, permission)
SELECT app_id, provider, environment, topic, push_type, priority, platform, app_version, os_version, language, permission
FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
            $10::text[], $11::text[])
     AS asked (app_id, provider, environment, topic, push_type, priority, platform, app_version, os_version, language,
               permission)
ORDER BY app_id, provider, environment, topic, push_type, priority, platform, app_version, os_version, language,
         permission
ON CONFLICT (app_id, digest) DO NOTHING;

-- Records what a table says about installations. Columns that it leaves out keep their values, and installations that registered
-- later or were erased do not change.
-- $1 app_id, $2 device_id[], $3 platform[], $4 app_version[], $5 os_version[], $6 language[], $7 permission[], $8 tags (JSON
-- text)[], $9 instant of the registration[]; each device once
INSERT INTO landfall.installation AS known (app_id, device_id, platform, app_version, os_version, language, permission,
                                            tags, first_registered_at, last_registered_at, last_sign_of_life_at)
SELECT $1, device_id, coalesce(platform, ''), coalesce(app_version, ''), coalesce(os_version, ''),
       coalesce(language, ''), coalesce(permission, ''),
       ARRAY(SELECT jsonb_array_elements_text(coalesce(tags, '[]')::jsonb)),
       registered_at, registered_at, registered_at
FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::timestamptz[])
     AS line (device_id, platform, app_version, os_version, language, permission, tags, registered_at)
ORDER BY device_id
ON CONFLICT (app_id, device_id) DO UPDATE
SET platform             = coalesce(nullif(excluded.platform, ''), known.platform),
    app_version          = coalesce(nullif(excluded.app_version, ''), known.app_version),
    os_version           = coalesce(nullif(excluded.os_version, ''), known.os_version),
    language             = coalesce(nullif(excluded.language, ''), known.language),
    permission           = coalesce(nullif(excluded.permission, ''), known.permission),
    tags                 = CASE WHEN excluded.tags = '{}' THEN known.tags ELSE excluded.tags END,
    last_registered_at   = excluded.last_registered_at,
    last_sign_of_life_at = greatest(known.last_sign_of_life_at, excluded.last_sign_of_life_at)
WHERE known.last_registered_at <= excluded.last_registered_at AND known.erased_at IS NULL;

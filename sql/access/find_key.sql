-- Which app does this bearer key belong to? No row for an unknown or revoked key, or one that only signs.
-- $1 digest
SELECT api_key.api_key_id, api_key.kind, app.app_id, app.slug,
       ARRAY(SELECT jsonb_array_elements_text(CASE jsonb_typeof(app.settings -> 'providers') WHEN 'array' THEN app.settings -> 'providers' ELSE '[]' END)) AS providers,
       ARRAY(SELECT jsonb_array_elements_text(CASE jsonb_typeof(app.settings -> 'cors_origins') WHEN 'array' THEN app.settings -> 'cors_origins' ELSE '[]' END)) AS origins
FROM landfall.api_key
JOIN landfall.app ON app.app_id = api_key.app_id
WHERE api_key.digest = $1 AND api_key.revoked_at IS NULL AND api_key.sealed_key IS NULL;

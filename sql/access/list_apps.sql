-- Which apps are there? One row per app.
SELECT app_id, slug, ARRAY(SELECT jsonb_array_elements_text(CASE jsonb_typeof(settings -> 'providers') WHEN 'array' THEN settings -> 'providers' ELSE '[]' END)) AS providers
FROM landfall.app
ORDER BY slug;

-- Which apps are there? One row per app.
SELECT app_id, slug, ARRAY(SELECT jsonb_array_elements_text(coalesce(settings -> 'providers', '[]'))) AS providers
FROM landfall.app
ORDER BY slug;

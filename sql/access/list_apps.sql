-- Which apps are there? One row per app.
SELECT app_id, slug FROM landfall.app ORDER BY slug;

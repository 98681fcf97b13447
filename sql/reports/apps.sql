-- Which apps are there?
--
-- Grain: one row per app, by slug.

SELECT app_id, slug
  FROM landfall.app
 ORDER BY slug;

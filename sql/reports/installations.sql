-- How many installations are there?
--
-- Parameters: $1 app.
-- Grain: one row. Erased installations are counted separately: only their number is left of them.

SELECT count(*) FILTER (WHERE erased_at IS NULL)     AS installations,
       count(*) FILTER (WHERE erased_at IS NOT NULL) AS erased_installations
  FROM landfall.installation
 WHERE app_id = $1;

-- Which of these apps know a device?
--
-- Parameters: $1 app[], $2 device_id.
-- Grain: one row per app.

SELECT app_id
  FROM landfall.installation
 WHERE app_id = ANY ($1::bigint[])
   AND device_id = $2;

-- Which device does each of these installations belong to?
--
-- Parameters: $1 app, $2 installation_id[].
-- Grain: one row per installation of the app.

SELECT installation_id, device_id
  FROM landfall.installation
 WHERE app_id = $1
   AND installation_id = ANY ($2::bigint[]);

-- What is known about a device?
--
-- Parameters: $1 app, $2 device_id.
-- Grain: at most one row.

SELECT installation_id,
       device_id,
       platform,
       app_version,
       os_version,
       language,
       time_zone,
       model,
       permission,
       array_to_json(tags)::text AS tags,
       array_to_json(claimed_tags)::text AS claimed_tags,
       credential_digest IS NOT NULL AS has_credential,
       first_registered_at,
       last_registered_at,
       last_sign_of_life_at,
       erased_at,
       kit,
       array_to_json(turned_off)::text AS turned_off,
       registration_error,
       array_to_json(missing_categories)::text AS missing_categories
  FROM landfall.installation
 WHERE app_id = $1
   AND device_id = $2;

-- Which installations do these devices have? One row per installation found, with its position; none for erased ones.
-- $1 app_id[], $2 device_id[]
SELECT asked.position, installation.installation_id, installation.platform, installation.app_version,
       installation.os_version, installation.language, installation.permission
FROM unnest($1::bigint[], $2::uuid[]) WITH ORDINALITY AS asked (app_id, device_id, position)
JOIN landfall.installation
  ON installation.app_id = asked.app_id AND installation.device_id = asked.device_id
 AND installation.erased_at IS NULL;

-- Which installations do these devices have? One row per installation found, with its position; also erased ones.
-- $1 app_id[], $2 device_id[]
SELECT asked.position, installation.installation_id
FROM unnest($1::bigint[], $2::uuid[]) WITH ORDINALITY AS asked (app_id, device_id, position)
JOIN landfall.installation
  ON installation.app_id = asked.app_id AND installation.device_id = asked.device_id;

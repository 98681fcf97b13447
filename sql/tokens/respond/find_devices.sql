-- Which devices do these installations belong to? One row per installation found, with its position; also for erased ones,
-- because pushes were sent to them.
-- $1 app_id[], $2 installation_id[]
SELECT asked.position, installation.device_id
FROM unnest($1::bigint[], $2::bigint[]) WITH ORDINALITY AS asked (app_id, installation_id, position)
JOIN landfall.installation
  ON installation.installation_id = asked.installation_id AND installation.app_id = asked.app_id;

-- Which installations are these devices, when did each register last, and was it erased? One row per device found, with its
-- position.
-- $1 app_id, $2 device_id[]
SELECT line.position, installation.installation_id, installation.last_registered_at,
       installation.erased_at IS NOT NULL AS is_erased
FROM unnest($2::uuid[]) WITH ORDINALITY AS line (device_id, position)
JOIN landfall.installation ON installation.app_id = $1 AND installation.device_id = line.device_id;

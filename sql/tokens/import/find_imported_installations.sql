-- Which installations do these devices have, when did each last register, and was it erased? One row per device found, with its
-- position.
-- $1 app_id, $2 device_id[]
-- OFFSET 0 keeps the planner from starting with all installations of the app instead of the few devices.
SELECT line.position, installation.installation_id, installation.last_registered_at,
       installation.erased_at IS NOT NULL AS is_erased
FROM unnest($2::uuid[]) WITH ORDINALITY AS line (device_id, position)
CROSS JOIN LATERAL (
    SELECT known.*
    FROM landfall.installation AS known
    WHERE known.app_id = $1 AND known.device_id = line.device_id
    OFFSET 0
) AS installation;

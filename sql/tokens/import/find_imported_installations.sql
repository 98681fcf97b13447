-- Which installations are these devices, when did each register last, and was it erased? One row per device found, with its
-- position.
-- OFFSET 0 keeps the planner from going the other way round, from the installations of the app to the few that are asked for.
-- $1 app_id, $2 device_id[]
SELECT line.position, installation.installation_id, installation.last_registered_at,
       installation.erased_at IS NOT NULL AS is_erased
FROM unnest($2::uuid[]) WITH ORDINALITY AS line (device_id, position)
CROSS JOIN LATERAL (
    SELECT known.*
    FROM landfall.installation AS known
    WHERE known.app_id = $1 AND known.device_id = line.device_id
    OFFSET 0
) AS installation;

-- Moves the last sign of life of installations that are not erased, at most once a day each. One row per installation written, with its position.
-- $1 app_id[], $2 device_id[], $3 instant[], sorted by app_id and device_id
UPDATE landfall.installation
SET last_sign_of_life_at = sign.at
FROM unnest($1::bigint[], $2::uuid[], $3::timestamptz[]) WITH ORDINALITY AS sign (app_id, device_id, at, position)
WHERE installation.app_id = sign.app_id
  AND installation.device_id = sign.device_id
  AND installation.erased_at IS NULL
  AND installation.last_sign_of_life_at <= sign.at - interval '1 day'
RETURNING sign.position, installation.installation_id;

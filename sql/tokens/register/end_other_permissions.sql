-- Ends the period of an installation's previous permission.
-- $1 app_id, $2 installation_id, $3 permission, $4 instant
UPDATE landfall.permission_period SET ended_at = $4
WHERE app_id = $1 AND installation_id = $2 AND permission <> $3 AND ended_at IS NULL;

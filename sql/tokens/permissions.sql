-- Periods of permissions to show notifications.

-- name: end_other_permissions
-- Ends the period of an installation's previous permission.
-- $1 app_id, $2 installation_id, $3 permission, $4 instant
UPDATE landfall.permission_period SET ended_at = $4
WHERE app_id = $1 AND installation_id = $2 AND permission <> $3 AND ended_at IS NULL;

-- name: start_permission
-- Starts a period of a permission of an installation, unless one is open.
-- $1 app_id, $2 installation_id, $3 permission, $4 instant
INSERT INTO landfall.permission_period (app_id, installation_id, permission, started_at)
SELECT $1, $2, $3, $4
WHERE NOT EXISTS (SELECT 1
                  FROM landfall.permission_period
                  WHERE app_id = $1 AND installation_id = $2 AND ended_at IS NULL)
ON CONFLICT (app_id, installation_id, started_at) DO UPDATE SET permission = excluded.permission, ended_at = NULL;

-- Copies what installations say about themselves to all of their tokens, so that responses find it without a lookup of the
-- installation.
-- $1 app_id, $2 installation_id[]; each installation once
-- OFFSET 0 keeps the planner from reading all installations of the app; comparing the app in the join keeps it from reading all
-- of the app's tokens.
UPDATE landfall.token
SET platform    = installation.platform,
    app_version = installation.app_version,
    os_version  = installation.os_version,
    language    = installation.language,
    permission  = installation.permission
FROM unnest($2::bigint[]) AS asked (installation_id)
CROSS JOIN LATERAL (
    SELECT known.*
    FROM landfall.installation AS known
    WHERE known.installation_id = asked.installation_id AND known.app_id = $1
    OFFSET 0
) AS installation
WHERE token.installation_id = installation.installation_id
  AND token.app_id = installation.app_id
  AND (token.platform, token.app_version, token.os_version, token.language, token.permission)
      IS DISTINCT FROM (installation.platform, installation.app_version, installation.os_version, installation.language,
                        installation.permission);

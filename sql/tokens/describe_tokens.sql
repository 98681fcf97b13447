-- Copies what installations say about themselves to all of their tokens, where answers find it without looking for the installation.
-- $1 app_id, $2 installation_id[]
UPDATE landfall.token
SET platform    = installation.platform,
    app_version = installation.app_version,
    os_version  = installation.os_version,
    language    = installation.language,
    permission  = installation.permission
FROM landfall.installation
WHERE installation.app_id = $1
  AND installation.installation_id = ANY ($2::bigint[])
  AND token.app_id = $1
  AND token.installation_id = installation.installation_id
  AND (token.platform, token.app_version, token.os_version, token.language, token.permission)
      IS DISTINCT FROM (installation.platform, installation.app_version, installation.os_version, installation.language,
                        installation.permission);

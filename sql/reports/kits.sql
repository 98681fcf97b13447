-- Which versions of the device kit do the versions of an app contain?
--
-- Parameters: $1 app, $2 limit.
-- Grain: one row per app version, kit and platform of an installation, in this order.
--
-- Many installations have few kits, so each step finds the next one in the index.

WITH RECURSIVE found AS (
    (SELECT app_version, kit, platform
       FROM landfall.installation
      WHERE app_id = $1 AND kit <> ''
      ORDER BY app_version, kit, platform
      LIMIT 1)
    UNION ALL
    SELECT next.app_version, next.kit, next.platform
      FROM found
     CROSS JOIN LATERAL (SELECT app_version, kit, platform
                           FROM landfall.installation
                          WHERE app_id = $1 AND kit <> ''
                            AND (app_version, kit, platform) > (found.app_version, found.kit, found.platform)
                          ORDER BY app_version, kit, platform
                          LIMIT 1) AS next
)
SELECT app_version, kit, platform
  FROM found
 LIMIT $2;

-- Which versions of these apps are noted as reporting? One row per app, platform and version.
-- $1 app_id[]
SELECT app_id, platform, app_version
  FROM landfall.reporting_version
 WHERE app_id = ANY ($1::bigint[]);
